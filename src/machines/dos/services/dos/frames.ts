import type { Guest } from '../guest.ts';
import { type FarPointer, linear } from './far-pointer.ts';

/** Interrupts on, the bits that are always set: what a program starts with. */
const freshFlags = 0x7202;
const interruptAndTrace = 0x0300;

export function returnAddress(guest: Guest): FarPointer {
  const frame = linear(guest.ss, guest.sp);
  return { offset: guest.memory.read16(frame), segment: guest.memory.read16(frame + 2) };
}

export function setReturnAddress(guest: Guest, { segment, offset }: FarPointer): void {
  guest.memory.write16(linear(guest.ss, guest.sp), offset);
  guest.memory.write16(linear(guest.ss, guest.sp + 2), segment);
}

export function push(guest: Guest, value: number): void {
  guest.sp = (guest.sp - 2) & 0xffff;
  guest.memory.write16(linear(guest.ss, guest.sp), value);
}

export function pop(guest: Guest): number {
  const value = guest.memory.read16(linear(guest.ss, guest.sp));
  guest.sp = (guest.sp + 2) & 0xffff;
  return value;
}

/** Makes the IRET after the callback go there. */
export function returnTo(guest: Guest, { segment, offset }: FarPointer, flags: number = freshFlags): void {
  guest.entering?.(segment, offset);
  push(guest, flags);
  push(guest, segment);
  push(guest, offset);
}

/** Makes the IRET after the callback enter an interrupt handler, which returns to `back`. */
export function callHandler(guest: Guest, handler: FarPointer, back: FarPointer, flags: number = freshFlags): void {
  returnTo(guest, back, flags);
  returnTo(guest, handler, flags & ~interruptAndTrace);
}
