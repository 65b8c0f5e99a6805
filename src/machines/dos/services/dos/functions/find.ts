import { hex } from '../../../../../formats/hex.ts';
import { DosError } from '../../../drives/dos-error.ts';
import { attributes, type DirectoryEntry } from '../../../drives/drive.ts';
import { formatName, nameMatches } from '../../../drives/names.ts';
import type { Dos } from '../dos.ts';
import type { DosFunction } from '../dos-function.ts';
import { linear } from '../far-pointer.ts';
import { quoted, readAsciz, readText, writeAsciz, writeText } from '../guest-text.ts';
import { pathAt, pathText } from './files.ts';

/** The disk transfer area of a search: the first 21 bytes are the kernel's. */
const area = {
  drive: 0x00,
  pattern: 0x01,
  attributes: 0x0c,
  slot: 0x0d,
  directory: 0x0f,
  foundAttributes: 0x15,
  stamp: 0x16,
  size: 0x1a,
  name: 0x1e,
} as const;

const deviceAttribute = 0x40;
const noSlot = 0xffff;

const first: DosFunction = {
  number: 0x4e,
  name: 'find first',
  failure: 'carry',
  describe: (guest) => `${pathText(guest)} attributes ${hex(guest.cx, 2)}h`,
  run(guest, dos) {
    const path = dos.paths.resolve(pathAt(guest), true);
    const transfer = transferAddress(dos);
    if (path.device !== undefined) {
      const name = path.device.name;
      const entry = { name: name.padEnd(11), attributes: deviceAttribute, stamp: dos.stamp(), size: 0 };
      guest.memory.write16(transfer + area.slot, noSlot);
      report(dos, transfer, entry);
      guest.ax = 0;
      return undefined;
    }
    const drive = dos.drives.get(path.drive);
    const pattern = path.names.at(-1);
    const directory = drive.directory(path.names.slice(0, -1));
    if (pattern === undefined) throw new DosError('noMoreFiles');
    const { memory } = guest;
    memory.write8(transfer + area.drive, path.drive + 1);
    writeText(memory, transfer + area.pattern, pattern);
    memory.write8(transfer + area.attributes, guest.cl);
    memory.write16(transfer + area.slot, 0);
    memory.write32(transfer + area.directory, directory);
    search(dos, transfer);
    guest.ax = 0;
    return undefined;
  },
  result: (_guest, dos) => quoted(readAsciz(dos.memory, transferSegment(dos), transferOffset(dos) + area.name, 13)),
};

const next: DosFunction = {
  number: 0x4f,
  name: 'find next',
  failure: 'carry',
  describe: (_guest, dos) => quoted(formatName(readText(dos.memory, transferAddress(dos) + area.pattern, 11))),
  run(guest, dos) {
    search(dos, transferAddress(dos));
    guest.ax = 0;
    return undefined;
  },
  result: first.result as NonNullable<DosFunction['result']>,
};

export const findFunctions = [first, next] as const;

function search(dos: Dos, transfer: number): void {
  const { memory } = dos;
  const slot = memory.read16(transfer + area.slot);
  const drive = memory.read8(transfer + area.drive) - 1;
  if (slot === noSlot || drive < 0) throw new DosError('noMoreFiles');
  const pattern = readText(memory, transfer + area.pattern, 11);
  const wanted = memory.read8(transfer + area.attributes);
  const directory = memory.read32(transfer + area.directory);
  const entry = findEntry(dos, drive, directory, slot, pattern, wanted);
  if (entry === undefined) throw new DosError('noMoreFiles');
  memory.write16(transfer + area.slot, entry.slot + 1);
  report(dos, transfer, entry);
}

/** The next entry that fits name and attributes, as directories are searched by handle and by FCB alike. */
export function findEntry(
  dos: Dos,
  drive: number,
  directory: number,
  slot: number,
  pattern: string,
  wanted: number,
): DirectoryEntry | undefined {
  const volume = dos.drives.get(drive);
  for (let entry = volume.scan(directory, slot); entry; entry = volume.scan(directory, entry.slot + 1)) {
    if (attributesFit(entry.attributes, wanted) && nameMatches(pattern, entry.name)) return entry;
  }
  return undefined;
}

function attributesFit(found: number, wanted: number): boolean {
  if ((wanted & 0x1f) === attributes.label) return (found & attributes.label) !== 0;
  const special = attributes.hidden | attributes.system | attributes.directory | attributes.label;
  return (found & special & ~wanted) === 0;
}

function report(dos: Dos, transfer: number, entry: Omit<DirectoryEntry, 'id' | 'slot' | 'start'>): void {
  const { memory } = dos;
  memory.write8(transfer + area.foundAttributes, entry.attributes);
  memory.write32(transfer + area.stamp, entry.stamp);
  memory.write32(transfer + area.size, entry.size);
  const label = (entry.attributes & attributes.label) !== 0;
  writeAsciz(memory, transfer + area.name, label ? labelName(entry.name) : formatName(entry.name));
}

/** A label of more than eight characters gets a point as a name would. */
function labelName(label: string): string {
  const text = label.trimEnd();
  return text.length > 8 ? `${text.slice(0, 8)}.${text.slice(8)}` : text;
}

function transferSegment(dos: Dos): number {
  return dos.area.transferArea >>> 16;
}
function transferOffset(dos: Dos): number {
  return dos.area.transferArea & 0xffff;
}
export function transferAddress(dos: Dos): number {
  return linear(transferSegment(dos), transferOffset(dos));
}
