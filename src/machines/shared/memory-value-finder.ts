import { MachineError } from '../../machine/errors.ts';
import type { Comparison, FoundValue, MemoryCapability, ValueFinder, ValueSearch } from '../../machine/memory.ts';
import { TimeSlice } from './time-slice.ts';

const mostBytes = 16 * 1024 * 1024;
const pieceBytes = 0x10000;

interface Search {
  readonly space: string;
  readonly bytes: 1 | 2 | 4;
  readonly steps: number;
  readonly places: Places;
  /** The whole space as it was at the last step. */
  readonly memory: Uint8Array;
}

/** By comparing copies of memory. */
export class MemoryValueFinder implements ValueFinder {
  readonly #memory: Pick<MemoryCapability, 'spaces' | 'peek' | 'bigEndian'>;
  #search: Search | undefined;

  constructor(memory: Pick<MemoryCapability, 'spaces' | 'peek' | 'bigEndian'>) {
    this.#memory = memory;
  }

  get search(): ValueSearch | undefined {
    return this.#search && told(this.#search);
  }

  async start(space: string, bytes: 1 | 2 | 4): Promise<ValueSearch> {
    const memory = await this.#copy(space);
    const places = Places.all(Math.max(0, memory.length - bytes + 1));
    this.#search = { space, bytes, steps: 0, places, memory };
    return told(this.#search);
  }

  async narrow(how: Comparison, value: number | undefined): Promise<ValueSearch> {
    const search = this.#search;
    if (!search) throw new MachineError('WRONG_STATE', 'No search has begun.', 'Begin one with {"restart":true}.');
    const fits = comparing(how, value);
    const now = await this.#copy(search.space);
    const { bytes, memory, steps } = search;
    const fitsAt = (place: number) => fits(this.#read(now, place, bytes), this.#read(memory, place, bytes));
    const places = await search.places.filtered(fitsAt);
    this.#search = { ...search, places, memory: now, steps: steps + 1 };
    return told(this.#search);
  }

  async places(from: number, limit: number): Promise<readonly FoundValue[]> {
    const search = this.#search;
    if (!search) return [];
    const { space, bytes, memory } = search;
    const found: FoundValue[] = [];
    for (const place of search.places.some(from, limit)) {
      const now = await this.#memory.peek(space, BigInt(place), bytes);
      found.push({
        address: BigInt(place),
        value: this.#read(now, 0, bytes),
        before: this.#read(memory, place, bytes),
      });
    }
    return found;
  }

  async #copy(name: string): Promise<Uint8Array> {
    const space = this.#memory.spaces.find((each) => each.name === name);
    const size = Number(space?.size ?? 0n);
    if (size > mostBytes) {
      const message = `${name} has ${size.toLocaleString('en-US')} bytes, and ${mostBytes.toLocaleString('en-US')} is the limit.`;
      throw new MachineError('LIMIT_REACHED', message, 'Search a smaller space.');
    }
    const copy = new Uint8Array(size);
    const slice = new TimeSlice();
    for (let at = 0; at < size; at += pieceBytes) {
      copy.set(await this.#memory.peek(name, BigInt(at), Math.min(pieceBytes, size - at)), at);
      if (slice.isOver) await slice.next();
    }
    return copy;
  }

  #read(memory: Uint8Array, at: number, bytes: 1 | 2 | 4): number {
    let value = 0;
    for (let index = 0; index < bytes; index++) {
      value = value * 256 + (memory[at + (this.#memory.bigEndian ? index : bytes - 1 - index)] ?? 0);
    }
    return value;
  }
}

/** A set of addresses, a bit for each: of 16 MiB no more than two. */
class Places {
  readonly #bits: Uint32Array;
  readonly size: number;

  static all(count: number): Places {
    const bits = new Uint32Array(Math.ceil(count / 32)).fill(0xffff_ffff);
    const rest = count % 32;
    if (rest > 0) bits[bits.length - 1] = 2 ** rest - 1;
    return new Places(bits, count);
  }

  private constructor(bits: Uint32Array, size: number) {
    this.#bits = bits;
    this.size = size;
  }

  async filtered(fits: (place: number) => boolean): Promise<Places> {
    const kept = new Uint32Array(this.#bits.length);
    const slice = new TimeSlice();
    let size = 0;
    for (let word = 0; word < kept.length; word++) {
      let bits = 0;
      for (let left = this.#bits[word] ?? 0; left !== 0; left &= left - 1) {
        const bit = 31 - Math.clz32(left & -left);
        if (!fits(word * 32 + bit)) continue;
        bits |= 1 << bit;
        size++;
      }
      kept[word] = bits;
      if ((word & 0xff) === 0 && slice.isOver) await slice.next();
    }
    return new Places(kept, size);
  }

  some(from: number, limit: number): number[] {
    const found: number[] = [];
    let passed = 0;
    for (let word = 0; word < this.#bits.length && found.length < limit; word++) {
      const bits = this.#bits[word] ?? 0;
      const count = bitsIn(bits);
      if (passed + count <= from) {
        passed += count;
        continue;
      }
      for (let left = bits; left !== 0 && found.length < limit; left &= left - 1) {
        if (passed++ >= from) found.push(word * 32 + 31 - Math.clz32(left & -left));
      }
    }
    return found;
  }
}

/** Pairs, fours and eights are added up side by side. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

type Fits = (now: number, before: number) => boolean;

const withBefore: Readonly<Partial<Record<Comparison, Fits>>> = {
  changed: (now, before) => now !== before,
  unchanged: (now, before) => now === before,
  decreased: (now, before) => now < before,
  increased: (now, before) => now > before,
};

function comparing(how: Comparison, value: number | undefined): Fits {
  const own = withBefore[how];
  if (own) return own;
  if (value === undefined) {
    throw new MachineError(
      'INVALID_ARGUMENT',
      `"${how}" compares with a value.`,
      'Add "value", or use changed, unchanged, decreased or increased.',
    );
  }
  const all: Readonly<Partial<Record<Comparison, Fits>>> = {
    equal: (now) => now === value,
    unequal: (now) => now !== value,
    less: (now) => now < value,
    greater: (now) => now > value,
  };
  return all[how] ?? (() => false);
}

function told({ space, bytes, steps, places }: Search): ValueSearch {
  return { space, bytes, steps, left: places.size };
}
