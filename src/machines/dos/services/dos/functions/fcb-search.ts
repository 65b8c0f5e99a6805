import { DosError } from '../../../drives/dos-error.ts';
import type { DirectoryEntry } from '../../../drives/drive.ts';
import type { Guest } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import type { DosFunction } from '../dos-function.ts';
import type { FileControlBlock } from '../file-control-block.ts';
import { quoted, readText, writeText } from '../guest-text.ts';
import { fcbAt, fcbText } from './fcb-files.ts';
import { findEntry, transferAddress } from './find.ts';

const entryBytes = 32;
const extendedBytes = 7;

const first: DosFunction = {
  number: 0x11,
  name: 'FCB find first',
  failure: 'al',
  describe: fcbText,
  run(guest, dos) {
    const block = fcbAt(guest);
    const { names } = block.path(dos);
    block.searchDirectory = dos.drives.get(block.drive(dos)).directory(names.slice(0, -1));
    block.searchSlot = 0;
    return search(guest, dos, block);
  },
  result: foundName,
};

const next: DosFunction = {
  number: 0x12,
  name: 'FCB find next',
  failure: 'al',
  describe: fcbText,
  run: (guest, dos) => search(guest, dos, fcbAt(guest)),
  result: foundName,
};

export const fcbSearchFunctions = [first, next] as const;

function search(guest: Guest, dos: Dos, block: FileControlBlock): undefined {
  const drive = block.drive(dos);
  const wanted = block.searchAttributes;
  const entry = findEntry(dos, drive, block.searchDirectory, block.searchSlot, block.name, wanted);
  if (entry === undefined) throw new DosError('noMoreFiles');
  block.searchSlot = entry.slot + 1;
  let target = transferAddress(dos);
  if (block.extended) {
    guest.memory.write(target, Uint8Array.of(0xff, 0, 0, 0, 0, 0, block.attribute));
    target += extendedBytes;
  }
  guest.memory.write8(target, drive + 1);
  writeEntry(guest, target + 1, entry);
  guest.al = 0;
  return undefined;
}

/** A directory entry as it lies on a disk. */
function writeEntry({ memory }: Guest, address: number, entry: DirectoryEntry): void {
  memory.write(address, new Uint8Array(entryBytes));
  writeText(memory, address, entry.name);
  memory.write8(address + 0x0b, entry.attributes);
  memory.write32(address + 0x16, entry.stamp);
  memory.write16(address + 0x1a, entry.start & 0xffff);
  memory.write32(address + 0x1c, entry.size);
}

function foundName(guest: Guest, dos: Dos): string {
  const skip = fcbAt(guest).extended ? extendedBytes + 1 : 1;
  return quoted(readText(dos.memory, transferAddress(dos) + skip, 11));
}
