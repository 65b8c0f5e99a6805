/** Something of ours that reads what others wrote. */
export interface FuzzTarget {
  /** Also the folder of its cases in `corpus`. */
  readonly name: string;
  /** Good input to begin with, small. */
  seeds(): readonly (Uint8Array | string)[];
  /** Words that mean something in a text; a binary format has none. */
  readonly words?: readonly string[];
  /** Where changes matter most: places from the first to before the second. */
  readonly focus?: readonly (readonly [from: number, to: number])[];
  /** Reads it to the end, with everything a user could then do with it. */
  read(input: Uint8Array): unknown;
  /** The errors by which it refuses; any other is a bug. */
  readonly refusals: readonly (abstract new (
    ...args: never[]
  ) => Error)[];
}

export const textOf = (input: Uint8Array): string => Buffer.from(input).toString('utf8');

/** Gives bytes in pieces as a socket would, of lengths that the bytes themselves decide. */
export function* piecesOf(input: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < input.length; ) {
    const length = 1 + ((input[at] ?? 0) % 37);
    yield input.subarray(at, at + length);
    at += length;
  }
}

/** A file from parts: numbers are bytes, texts are ASCII, pairs put something at a place. */
export function fileOf(
  length: number,
  ...parts: readonly (readonly [number, string | readonly number[] | Uint8Array])[]
): Uint8Array {
  const file = new Uint8Array(length);
  for (const [at, content] of parts)
    file.set(typeof content === 'string' ? Buffer.from(content, 'latin1') : content, at);
  return file;
}

export const word = (value: number): number[] => [value & 255, (value >> 8) & 255];
export const long = (value: number): number[] => [...word(value), ...word(value >>> 16)];
