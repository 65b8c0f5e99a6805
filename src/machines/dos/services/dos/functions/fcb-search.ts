import { DosError } from '../../../drives/dos-error.ts';
import type { DirectoryEntry } from '../../../drives/drive.ts';
import type { Guest } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import type { FileControlBlock } from '../file-control-block.ts';
import { quoted, readText, writeText } from '../guest-text.ts';
import { fcbAt, fcbFunction } from './fcb-function.ts';
import { findEntry, transferAddress } from './find.ts';

const entryBytes = 32;
const extendedBytes = 7;

const first = fcbFunction(
  0x11,
  'find first',
  (block, dos, guest) => {
    const { drive, names } = block.path(dos);
    block.searchDirectory = dos.drives.get(drive).directory(names.slice(0, -1));
    block.searchSlot = 0;
    search(guest, dos, block);
    return undefined;
  },
  { result: foundName },
);

const next = fcbFunction(
  0x12,
  'find next',
  (block, dos, guest) => {
    search(guest, dos, block);
    return undefined;
  },
  { result: foundName },
);

export const fcbSearchFunctions = [first, next] as const;

function search(guest: Guest, dos: Dos, block: FileControlBlock): void {
  const { drive } = block.path(dos);
  const wanted = block.searchAttributes;
  const entry = findEntry(dos, drive, block.searchDirectory, block.searchSlot, block.name, wanted);
  if (entry === undefined) throw new DosError('noMoreFiles');
  block.searchSlot = entry.slot + 1;
  let target = transferAddress(dos);
  if (block.extended) {
    guest.memory.write(target, Uint8Array.of(0xff, 0, 0, 0, 0, 0, block.attribute));
    target += extendedBytes;
  }
  guest.memory.write8(target, block.drive(dos) + 1);
  writeEntry(guest, target + 1, entry);
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
