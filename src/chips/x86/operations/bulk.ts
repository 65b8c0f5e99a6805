import type { Core } from '../core.ts';
import type { Width } from '../instruction.ts';
import { fields } from '../registers.ts';

const pageShift = 8;
const shortest = 8;
/** What is stored many times into a device. */
const stored = new Uint8Array(0x10000);

/** True when nothing listens to a range, so that bytes may be moved as they are. */
function isPlain(flags: Uint8Array, address: number, length: number): boolean {
  const last = (address + length - 1) >>> pageShift;
  for (let page = address >>> pageShift; page <= last; page += 1) if (flags[page] !== 0) return false;
  return true;
}

/** Elements from an offset on that lie side by side in the segment, and in memory where there are pages. */
function elementsAt(core: Core, seg: number, offset: number, bytes: number, write: boolean, wide: boolean): number {
  if (!core.isProtected) return Math.floor((0x10000 - offset) / bytes);
  let room = (write ? core.writeLimits[seg] : core.readLimits[seg]) + 1 - offset;
  if (!wide) room = Math.min(room, 0x10000 - offset);
  if (core.isPaged) room = Math.min(room, 0x1000 - ((core.word(seg) + offset) & 0xfff));
  return Math.floor(room / bytes);
}

/** Where an offset lies in memory. */
function placeOf(core: Core, seg: number, offset: number, write: boolean): number {
  const linear = (core.word(seg) + offset) >>> 0;
  return core.isPaged ? core.translate(linear, write, core.isUser) : linear;
}

/** A string instruction's addresses and how many elements are left. */
export interface BulkRange {
  readonly seg: number;
  readonly width: Width;
  readonly si: number;
  readonly di: number;
  readonly left: number;
  /** Offsets of 32 bits. */
  readonly wide: boolean;
}

/** Moves as many elements upwards as can be moved at once; 0 when the rounds have to be gone through. */
export function bulkMove(core: Core, { seg, width, si, di, left, wide }: BulkRange): number {
  const bytes = width / 8;
  const to = fields.esBase;
  const count = Math.min(
    left,
    elementsAt(core, seg, si, bytes, false, wide),
    elementsAt(core, to, di, bytes, true, wide),
  );
  if (count < shortest) return 0;
  const length = count * bytes;
  const source = placeOf(core, seg, si, false);
  const destination = placeOf(core, to, di, true);
  // A destination inside the source would read what was just written.
  if (destination > source && destination < source + length) return 0;
  const { ram, readFlags, writeFlags } = core.memory;
  if (!isPlain(readFlags, source, length)) return 0;
  if (!isPlain(writeFlags, destination, length)) {
    return core.memory.writeToDevice(destination, ram.subarray(source, source + length)) ? count : 0;
  }
  ram.copyWithin(destination, source, source + length);
  return count;
}

/** Stores as many elements upwards as can be stored at once. */
export function bulkStore(core: Core, value: number, { width, di, left, wide }: BulkRange): number {
  const bytes = width / 8;
  const count = Math.min(left, elementsAt(core, fields.esBase, di, bytes, true, wide));
  if (count < shortest) return 0;
  const address = placeOf(core, fields.esBase, di, true);
  const { memory } = core;
  if (isPlain(memory.writeFlags, address, count * bytes)) {
    repeat(memory.ram, address, value, bytes, count);
    return count;
  }
  const most = Math.min(count, stored.length / bytes);
  repeat(stored, 0, value, bytes, most);
  return memory.writeToDevice(address, stored.subarray(0, most * bytes)) ? most : 0;
}

function repeat(into: Uint8Array, start: number, value: number, bytes: number, count: number): void {
  const length = count * bytes;
  for (let n = 0; n < bytes; n += 1) into[start + n] = value >> (8 * n);
  // Each copy doubles what is there.
  for (let done = bytes; done < length; done *= 2) {
    into.copyWithin(start + done, start, start + Math.min(done, length - done));
  }
}
