import { MachineError } from '../../machine/errors.ts';

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

/** Offsets at which the pattern lies, at most `limit`. */
export function findPattern(bytes: Uint8Array, pattern: BytePattern, limit: number): number[] {
  const found: number[] = [];
  for (let at = 0; at + pattern.length <= bytes.length && found.length < limit; at++) {
    if (pattern.every((byte, index) => byte === null || bytes[at + index] === byte)) found.push(at);
  }
  return found;
}
