import type { Guest } from '../guest.ts';
import { emsErrors } from './answers.ts';
import { type EmsHandle, type ExpandedMemory, PAGE_BYTES } from './expanded-memory.ts';

/** One side of a move: conventional memory by linear address, or bytes of a handle. */
type Region = { readonly linear: number } | { readonly handle: EmsHandle; readonly offset: number };

const MEGABYTE = 0x100000;

/** Function 57h: the packet at DS:SI holds a length, then source and target of seven bytes each. Gives an error, 0 for none. */
export function moveRegion(memory: ExpandedMemory, guest: Guest): number {
  if (guest.al > 1) return emsErrors.badSubfunction;
  const packet = (guest.ds << 4) + guest.si;
  const length = guest.memory.read32(packet);
  if (length > MEGABYTE) return emsErrors.tooLong;
  const source = regionAt(memory, guest, packet + 4, length);
  if (typeof source === 'number') return source;
  const target = regionAt(memory, guest, packet + 11, length);
  if (typeof target === 'number') return target;
  const moved = read(memory, guest, source, length);
  if (guest.al === 1) write(memory, guest, source, read(memory, guest, target, length));
  write(memory, guest, target, moved);
  return 0;
}

/** Type, handle, offset, and segment or logical page. */
function regionAt(memory: ExpandedMemory, guest: Guest, at: number, length: number): Region | number {
  const offset = guest.memory.read16(at + 3);
  const place = guest.memory.read16(at + 5);
  if (guest.memory.read8(at) === 0) return { linear: (place << 4) + offset };
  const handle = memory.find(guest.memory.read16(at + 1));
  if (handle === undefined) return emsErrors.badHandle;
  if (offset >= PAGE_BYTES) return emsErrors.offsetBeyondPage;
  const start = place * PAGE_BYTES + offset;
  return start + length > handle.pages.length * PAGE_BYTES ? emsErrors.beyondHandle : { handle, offset: start };
}

const read = (memory: ExpandedMemory, guest: Guest, region: Region, length: number) =>
  'linear' in region ? guest.memory.bytes(region.linear, length) : memory.read(region.handle, region.offset, length);

function write(memory: ExpandedMemory, guest: Guest, region: Region, bytes: Uint8Array): void {
  if ('linear' in region) guest.memory.write(region.linear, bytes);
  else memory.write(region.handle, region.offset, bytes);
}
