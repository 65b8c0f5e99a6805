import { MachineError } from '../../machine/errors.ts';
import type { TimeSlice } from '../../machines/shared/time-slice.ts';

/** Bytes to look for; null matches any. */
export type BytePattern = readonly (number | null)[];

/** `A9 ?? 8D`, `"text"`, or both mixed. */
export function parsePattern(text: string): BytePattern {
  const pattern: (number | null)[] = [];
  const word = /\s*(?:"([^"]*)"|(\?\??|\*)|(?:\$|0x)?([0-9a-f]{2})|,)/iy;
  let at = 0;
  while (text.slice(at).trim() !== '') {
    word.lastIndex = at;
    const found = word.exec(text);
    if (!found) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `Pattern: ${JSON.stringify(text.slice(at, at + 20))} is neither a byte, ??, nor "text".`,
        'Write bytes as two hex digits, ?? for any, text in quotes: A9 ?? 8D "OK".',
      );
    }
    at = word.lastIndex;
    if (found[1] !== undefined) pattern.push(...new TextEncoder().encode(found[1]));
    else if (found[2] !== undefined) pattern.push(null);
    else if (found[3] !== undefined) pattern.push(Number.parseInt(found[3], 16));
  }
  if (pattern.some((byte) => byte !== null)) return pattern;
  throw new MachineError('INVALID_ARGUMENT', 'The pattern has no byte to look for.', 'Write at least one, e.g. A9 00.');
}

/** Looked through at a time before somebody looks at the clock. */
const blockBytes = 65_536;
/** Places looked at closely at a time. */
const candidatesBetweenLooks = 256;

/** Offsets at which the pattern lies, at most `limit`. */
export async function findPattern(
  bytes: Uint8Array,
  pattern: BytePattern,
  limit: number,
  slice: TimeSlice,
): Promise<number[]> {
  const found: number[] = [];
  const { value, index } = rarest(pattern, await countBytes(bytes, slice));
  const last = bytes.length - pattern.length + index;
  let looked = 0;
  for (let at = index; at <= last && found.length < limit; ) {
    const end = Math.min(last + 1, at + blockBytes);
    const next = bytes.subarray(at, end).indexOf(value);
    at = next < 0 ? end : at + next + 1;
    if (next >= 0 && liesAt(bytes, pattern, at - 1 - index)) found.push(at - 1 - index);
    if ((next < 0 || ++looked % candidatesBetweenLooks === 0) && slice.isOver) await slice.next();
  }
  return found;
}

async function countBytes(bytes: Uint8Array, slice: TimeSlice): Promise<Float64Array> {
  const counts = new Float64Array(256);
  for (let start = 0; start < bytes.length; start += blockBytes) {
    const end = Math.min(bytes.length, start + blockBytes);
    for (let at = start; at < end; at++) counts[bytes[at] ?? 0] = (counts[bytes[at] ?? 0] ?? 0) + 1;
    if (slice.isOver) await slice.next();
  }
  return counts;
}

/** Of the pattern's bytes the one that memory has least of: only where that lies can the pattern lie. */
function rarest(pattern: BytePattern, counts: Float64Array): { readonly value: number; readonly index: number } {
  let best = { value: 0, index: 0, count: Number.POSITIVE_INFINITY };
  for (const [index, value] of pattern.entries()) {
    const count = value === null ? Number.POSITIVE_INFINITY : (counts[value] ?? 0);
    if (value !== null && count < best.count) best = { value, index, count };
  }
  return best;
}

function liesAt(bytes: Uint8Array, pattern: BytePattern, offset: number): boolean {
  for (let index = 0; index < pattern.length; index++) {
    const byte = pattern[index];
    if (byte !== null && bytes[offset + index] !== byte) return false;
  }
  return true;
}
