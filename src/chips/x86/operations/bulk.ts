import type { Core } from '../core.ts';
import type { Width } from '../instruction.ts';
import { fields } from '../registers.ts';

const pageShift = 8;
const shortest = 8;

/** True when nothing listens to a range, so that bytes may be moved as they are. */
function isPlain(flags: Uint8Array, address: number, length: number): boolean {
  const last = (address + length - 1) >> pageShift;
  for (let page = address >> pageShift; page <= last; page += 1) if (flags[page] !== 0) return false;
  return true;
}

/** Elements that lie between an offset and the end of the segment. */
function elementsWithin(offset: number, count: number, bytes: number): number {
  return Math.min(count, Math.floor((0x10000 - offset) / bytes));
}

/** Moves as many elements upwards as can be moved at once; 0 when the rounds have to be gone through. */
export function bulkMove(core: Core, seg: number, width: Width, si: number, di: number, left: number): number {
  const bytes = width / 8;
  const count = elementsWithin(si, elementsWithin(di, left, bytes), bytes);
  if (count < shortest) return 0;
  const length = count * bytes;
  const source = core.word(seg) + si;
  const destination = core.word(fields.esBase) + di;
  // A destination inside the source would read what was just written.
  if (destination > source && destination < source + length) return 0;
  const { ram, readFlags, writeFlags } = core.memory;
  if (!isPlain(readFlags, source, length) || !isPlain(writeFlags, destination, length)) return 0;
  ram.copyWithin(destination, source, source + length);
  return count;
}

/** Stores as many elements upwards as can be stored at once. */
export function bulkStore(core: Core, value: number, width: Width, di: number, left: number): number {
  const bytes = width / 8;
  const count = elementsWithin(di, left, bytes);
  if (count < shortest) return 0;
  const length = count * bytes;
  const address = core.word(fields.esBase) + di;
  const { ram, writeFlags } = core.memory;
  if (!isPlain(writeFlags, address, length)) return 0;
  for (let n = 0; n < bytes; n += 1) ram[address + n] = value >> (8 * n);
  // Each copy doubles what is there.
  for (let done = bytes; done < length; done *= 2) {
    ram.copyWithin(address + done, address, address + Math.min(done, length - done));
  }
  return count;
}
