import fc from 'fast-check';
import type { FuzzTarget } from './fuzz-target.ts';

const kinds = ['flip', 'set', 'number', 'insert', 'remove', 'repeat', 'cut', 'splice', 'swap', 'word'] as const;

interface Change {
  readonly kind: (typeof kinds)[number];
  /** A place, as a part of the whole. */
  readonly at: number;
  readonly other: number;
  readonly value: number;
}

const bytes = [0, 1, 0x7f, 0x80, 0xff, 0x0a, 0x0d, 0x1b, 0x20, 0x24, 0x28, 0x2f, 0x3a, 0x5b, 0x7d];
const numbers = [0, 1, -1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000];
/** What every object has. */
const names = ['constructor', '__proto__', 'toString'];
const longestInput = 400_000;

const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    at: fc.double({ min: 0, max: 0.999_999, noNaN: true }),
    other: fc.double({ min: 0, max: 0.999_999, noNaN: true }),
    value: fc.nat(0xffff),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Cases of a target: one of its seeds or of the corpus with some changes, and now and then nothing but noise. */
export function casesOf(target: FuzzTarget, corpus: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  const seeds = [...target.seeds().map((seed) => Buffer.from(seed)), ...corpus];
  const changed = fc
    .tuple(fc.nat(seeds.length - 1), changes)
    .map(([index, list]) =>
      list.reduce(
        (input, change) => changedBy(input, change, target, seeds),
        seeds[index] ?? seeds[0] ?? new Uint8Array(),
      ),
    );
  return fc.oneof({ weight: 20, arbitrary: changed }, fc.uint8Array({ maxLength: 300 }));
}

function changedBy(input: Uint8Array, change: Change, target: FuzzTarget, seeds: readonly Uint8Array[]): Uint8Array {
  const at = placeOf(change, input.length, target);
  const { value } = change;
  const span = 1 + Math.floor(change.other * change.other * 64);
  const before = input.subarray(0, at);
  const behind = (skip: number) => input.subarray(at + skip);
  switch (change.kind) {
    case 'flip':
      return withBytes(input, at, [(input[at] ?? 0) ^ (1 << (value & 7))]);
    case 'set':
      return withBytes(input, at, [bytes[value % bytes.length] ?? value]);
    case 'number':
      return withBytes(input, at, numberBytes(value));
    case 'insert':
      return joined(
        before,
        Uint8Array.from({ length: span }, (_, index) => value * (index + 7)),
        behind(0),
      );
    case 'remove':
      return joined(before, behind(span));
    case 'repeat': {
      const piece = input.subarray(at, at + span);
      return joined(before, ...Array.from({ length: 1 + (value % 64) }, () => piece), behind(0));
    }
    case 'cut':
      return before;
    case 'splice': {
      const other = seeds[value % seeds.length] ?? input;
      return joined(before, other.subarray(Math.floor(change.other * other.length)));
    }
    case 'swap':
      return joined(before, input.subarray(at + span, at + 2 * span), input.subarray(at, at + span), behind(2 * span));
    case 'word': {
      const words = [...(target.words ?? []), ...names];
      if (target.words === undefined) return withBytes(input, at, [value & 255]);
      return joined(before, Buffer.from(words[value % words.length] ?? ''), behind(0));
    }
  }
}

function placeOf({ at, value }: Change, length: number, { focus = [] }: FuzzTarget): number {
  const ranges = focus.filter(([from]) => from < length);
  const range = value % 3 === 0 ? undefined : ranges[value % ranges.length];
  const [from, to] = range ?? [0, length];
  return from + Math.floor(at * (Math.min(to, length) - from));
}

/** In one of the sizes and orders that formats have. */
function numberBytes(value: number): number[] {
  const number = numbers[(value >> 2) % numbers.length] ?? 0;
  const width = [1, 2, 4, 8][value & 3] ?? 1;
  const little = Array.from({ length: width }, (_, index) =>
    index < 4 ? (number >> (index * 8)) & 255 : number < 0 ? 255 : 0,
  );
  return value & 0x8000 ? little.reverse() : little;
}

function withBytes(input: Uint8Array, at: number, values: readonly number[]): Uint8Array {
  const copy = input.slice();
  for (const [index, value] of values.entries()) if (at + index < copy.length) copy[at + index] = value;
  return copy;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts).subarray(0, longestInput);
}
