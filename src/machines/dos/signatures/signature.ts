/** A function of a library, known again by what its bytes hash to; the bytes themselves are not kept. */
export interface Signature {
  readonly names: readonly string[];
  /** How many bytes from its start on are compared. */
  readonly length: number;
  /** Bytes among them that a linker changes: first and count. */
  readonly gaps: readonly (readonly [first: number, count: number])[];
  /** Of the first bytes, to be looked up by. */
  readonly head: string;
  readonly hash: string;
  /** Libraries that it was found in, by number. */
  readonly of: readonly number[];
}

/** Functions with fewer bytes that stay as they are could be anything. */
export const fewestBytes = 10;
/** Longer ones are known by their beginnings. */
export const mostBytes = 192;
const headBytes = 4;

/** What to look a function up by, for each way in which its first bytes may have gaps. */
export function headsOf(bytes: Uint8Array): readonly string[] {
  return Array.from({ length: 1 << headBytes }, (_, mask) => headKey(bytes, mask));
}

export function headOf(bytes: Uint8Array, gaps: Signature['gaps']): string {
  let mask = 0;
  for (const [first, count] of gaps) {
    for (let at = first; at < Math.min(first + count, headBytes); at++) mask |= 1 << at;
  }
  return headKey(bytes, mask);
}

function headKey(bytes: Uint8Array, mask: number): string {
  let hash = 0x811c9dc5 ^ mask;
  for (let at = 0; at < headBytes; at++) hash = mixed(hash, mask & (1 << at) ? 0 : (bytes[at] ?? 0));
  return digits(hash ^ (hash >>> 14), 3);
}

/** Of 42 bits. */
export function hashOf(bytes: Uint8Array, length: number, gaps: Signature['gaps']): string {
  const copy = bytes.slice(0, length);
  for (const [first, count] of gaps) copy.fill(0, first, first + count);
  let [a, b] = [0x811c9dc5, 0x1000193 ^ length];
  for (const byte of copy) {
    a = mixed(a, byte);
    b = mixed(b, byte ^ (a >>> 24));
  }
  return digits(a ^ (a >>> 16), 3) + digits(b ^ (b >>> 8), 4);
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The lowest six bits and so on. */
function digits(value: number, count: number): string {
  return Array.from({ length: count }, (_, index) => alphabet[(value >>> (6 * index)) & 63]).join('');
}

function mixed(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

/** How many bytes are compared. */
export function comparedBytes({ length, gaps }: Pick<Signature, 'length' | 'gaps'>): number {
  return gaps.reduce((sum, [first, count]) => sum - Math.max(0, Math.min(count, length - first)), length);
}
