import { petsciiText } from '../basic/petscii.ts';
import { latin, long, MediaError, word } from './byte-fields.ts';
import type { Program } from './prg.ts';

export interface T64File extends Program {
  readonly name: string;
  /** As on a disk: $82 is PRG. */
  readonly fileType: number;
  /** The end address was wrong and is corrected. */
  readonly repaired: boolean;
}

export interface T64 {
  readonly name: string;
  readonly files: readonly T64File[];
}

/** Files that are looked at; archives have some dozens. */
const mostFiles = 1024;

export const isT64 = (file: Uint8Array): boolean =>
  file.length >= 64 && /^C64[S ]? ?(tape|TAPE|\w+ tape)/.test(latin(file, 0, 32));

const trimmed = (bytes: Uint8Array) => petsciiText(bytes).replace(/[\s\0\u00a0]+$/u, '');

/** Reads a T64 archive. End addresses, which a widespread converter got wrong, are held against the room each file really has. */
export function readT64(file: Uint8Array): T64 {
  if (!isT64(file)) throw new MediaError('no T64 archive: its signature is missing');
  const slots = Math.min(mostFiles, Math.max(1, word(file, 0x22)));
  const entries = Array.from({ length: slots }, (_, index) => file.subarray(64 + index * 32, 96 + index * 32)).filter(
    (entry) => entry.length === 32 && entry[0] !== 0,
  );
  const offsets = entries.map((entry) => long(entry, 8)).sort((a, b) => a - b);
  const files = entries.flatMap((entry): T64File[] => {
    const [address, end, offset] = [word(entry, 2), word(entry, 4), long(entry, 8)];
    if (offset >= file.length) return [];
    const room = (firstAbove(offsets, offset) ?? file.length) - offset;
    const claimed = (end === 0 ? 0x10000 : end) - address;
    const repaired = claimed <= 0 || claimed > room;
    const length = repaired ? Math.min(room, 0x10000 - address) : claimed;
    const bytes = file.subarray(offset, offset + length);
    return [{ name: trimmed(entry.subarray(16, 32)), fileType: entry[1] ?? 0, address, bytes, repaired }];
  });
  return { name: trimmed(file.subarray(0x28, 0x40)), files };
}

/** The first of sorted numbers that is greater. */
function firstAbove(sorted: readonly number[], value: number): number | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return sorted[low];
}
