import type { FarPointer } from './far-pointer.ts';
import { at, dosSegment } from './layout.ts';

/** What drivers can be asked for. */
export const driverCommands = {
  initialize: 0,
  mediaCheck: 1,
  buildParameters: 2,
  readControl: 3,
  read: 4,
  inputStatus: 6,
  write: 8,
  writeVerified: 9,
  outputStatus: 10,
  writeControl: 12,
  open: 13,
  close: 14,
  removable: 15,
  generic: 19,
  getLogical: 23,
  setLogical: 24,
  query: 25,
} as const;

/** The longest that is sent: reads and writes with a sector of 32 bits. */
export const requestBytes = 30;
/** Length of a request as its first byte says it. */
const lengths: Readonly<Record<number, number>> = {
  0: 26,
  1: 19,
  2: 22,
  4: 30,
  8: 30,
  9: 30,
  3: 22,
  12: 22,
  19: 23,
  25: 23,
};
const headerBytes = 13;

/** Places in a request. */
export const requestAt = {
  unit: 1,
  command: 2,
  status: 3,
  /** Of the eight bytes that are the kernel's own: which drive asks. */
  drive: 5,
  media: 0x0d,
  units: 0x0d,
  change: 0x0e,
  category: 0x0d,
  minor: 0x0e,
  si: 0x0f,
  di: 0x11,
  block: 0x13,
  buffer: 0x0e,
  count: 0x12,
  parameters: 0x12,
  sector: 0x14,
  firstDrive: 0x16,
  longSector: 0x1a,
} as const;

/** Bits of the status word. */
export const requestStatus = { failed: 0x8000, busy: 0x0200 } as const;

/** The kernel's own buffer, for one sector or some bytes. */
export const ownBuffer: FarPointer = { segment: dosSegment, offset: at.driverBuffer };
export const ownBufferBytes = at.end - at.driverBuffer;

/** A request: length, unit, command, status, eight reserved bytes, then what the command needs. */
export function request(command: number, buffer: FarPointer = ownBuffer, count = 0): number[] {
  const bytes = new Array<number>(requestBytes).fill(0);
  bytes[0] = lengths[command] ?? headerBytes;
  bytes[requestAt.command] = command;
  putWord(bytes, requestAt.buffer, buffer.offset);
  putWord(bytes, requestAt.buffer + 2, buffer.segment);
  putWord(bytes, requestAt.count, count);
  return bytes;
}

export function putWord(bytes: number[], offset: number, value: number): void {
  bytes[offset] = value & 0xff;
  bytes[offset + 1] = (value >> 8) & 0xff;
}

export function wordOf(bytes: ArrayLike<number>, offset: number): number {
  return (bytes[offset] ?? 0) | ((bytes[offset + 1] ?? 0) << 8);
}
