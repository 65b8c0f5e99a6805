import type { CommodoreDisk } from './commodore-disk.ts';
import { type DirectoryEntry, unpadded } from './directory-entry.ts';

/** The lines LOAD"$" would list: number, then text as PETSCII. */
function linesOf(disk: CommodoreDisk, shows: (entry: DirectoryEntry) => boolean): { number: number; text: number[] }[] {
  const { directoryTrack, nameOffset, idOffset } = disk.image.geometry;
  const header = disk.image.sector(directoryTrack, 0);
  const quote = 0x22;
  const spaced = (codes: Iterable<number>) => [...codes].map((code) => (code === 0xa0 ? 0x20 : code));
  const title = spaced(header.subarray(nameOffset, nameOffset + 16));
  const id = spaced(header.subarray(idOffset, idOffset + 5));
  const files = disk.directory().filter(shows);
  const lines = files.map((entry) => {
    const name = [...unpadded(entry.rawName)];
    const indent = entry.blocks < 10 ? '   ' : entry.blocks < 100 ? '  ' : entry.blocks < 1000 ? ' ' : '';
    const fill = ' '.repeat(16 - name.length);
    const tail = `${entry.closed ? ' ' : '*'}${entry.type}${entry.locked ? '<' : ' '}`;
    return { number: entry.blocks, text: [...ascii(indent), quote, ...name, quote, ...ascii(fill), ...ascii(tail)] };
  });
  return [
    { number: 0, text: [0x12, quote, ...title, quote, 0x20, ...id] },
    ...lines,
    { number: disk.freeBlocks, text: ascii('BLOCKS FREE.             ') },
  ];
}

const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0));

/** The BASIC program that LOAD"$",8 gives, with its load address. */
export function directoryProgram(
  disk: CommodoreDisk,
  loadAddress = 0x0401,
  shows: (entry: DirectoryEntry) => boolean = () => true,
): Uint8Array {
  const bytes = [loadAddress & 255, loadAddress >> 8];
  let address = loadAddress;
  for (const { number, text } of linesOf(disk, shows)) {
    address += text.length + 5;
    bytes.push(address & 255, (address >> 8) & 255, number & 255, number >> 8, ...text, 0);
  }
  bytes.push(0, 0);
  return Uint8Array.from(bytes);
}
