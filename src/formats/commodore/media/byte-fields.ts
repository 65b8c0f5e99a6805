/** A file that is not what its name says, or cut short. */
export class MediaError extends Error {
  override readonly name = 'MediaError';
  /** What can be done about it. */
  readonly fix: string;

  constructor(message: string, fix = 'Use another file.') {
    super(message);
    this.fix = fix;
  }
}

export const word = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
export const long = (bytes: Uint8Array, at: number): number => word(bytes, at) + word(bytes, at + 2) * 0x10000;
export const bigWord = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
export const bigLong = (bytes: Uint8Array, at: number): number => bigWord(bytes, at) * 0x10000 + bigWord(bytes, at + 2);

/** Bytes as Latin text, for signatures and ASCII names. */
export function latin(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

export function concatBytes(parts: readonly ArrayLike<number>[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
