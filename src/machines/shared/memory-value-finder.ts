import { MachineError } from '../../machine/errors.ts';
import type { Comparison, FoundValue, MemoryCapability, ValueFinder, ValueSearch } from '../../machine/memory.ts';
import { TimeSlice } from '../../machine/time-slice.ts';

const mostBytes = 16 * 1024 * 1024;
const pieceBytes = 0x10000;

interface Search {
  readonly space: string;
  readonly bytes: 1 | 2 | 4;
  readonly steps: number;
  readonly places: Uint32Array;
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
    const places = Uint32Array.from({ length: Math.max(0, memory.length - bytes + 1) }, (_, address) => address);
    this.#search = { space, bytes, steps: 0, places, memory };
    return told(this.#search);
  }

  async narrow(how: Comparison, value: number | undefined): Promise<ValueSearch> {
    const search = this.#search;
    if (!search) throw new MachineError('WRONG_STATE', 'No search has begun.', 'Begin one with {"restart":true}.');
    const fits = comparing(how, value);
    const now = await this.#copy(search.space);
    const { bytes, memory, steps } = search;
    const slice = new TimeSlice();
    const kept = new Uint32Array(search.places.length);
    let count = 0;
    for (const [index, place] of search.places.entries()) {
      if (fits(this.#read(now, place, bytes), this.#read(memory, place, bytes))) kept[count++] = place;
      if ((index & 0xfff) === 0 && slice.isOver) await slice.next();
    }
    this.#search = { ...search, places: kept.slice(0, count), memory: now, steps: steps + 1 };
    return told(this.#search);
  }

  async places(from: number, limit: number): Promise<readonly FoundValue[]> {
    const search = this.#search;
    if (!search) return [];
    const { space, bytes, memory } = search;
    const found: FoundValue[] = [];
    for (const place of search.places.subarray(from, from + limit)) {
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
  return { space, bytes, steps, left: places.length };
}
