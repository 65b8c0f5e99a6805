import type { ByteView } from '../elf/byte-view.ts';
import { DwarfCursor } from '../elf/dwarf-cursor.ts';
import { readListPlace, unitBase } from './address-ranges.ts';
import type { AttributeValue } from './attribute-value.ts';
import type { DwarfUnit } from './dwarf-unit.ts';

/** What locations are worked out from: a frame of a machine that is stopped. */
export interface FrameContext {
  /** As the file counts addresses. */
  readonly pc: bigint;
  /** What the guest has moved the program by. */
  readonly offset: bigint;
  register(number: number): Promise<bigint | undefined>;
  /** What frame offsets count from, as the unwind tables say; undefined where they say nothing. */
  readonly cfa: bigint | undefined;
  memory(address: bigint, length: number): Promise<Uint8Array | undefined>;
}

/** Where a value is. */
export type Location =
  | { readonly type: 'memory'; readonly address: bigint }
  | { readonly type: 'register'; readonly number: number }
  /** Nowhere: the value itself is known. */
  | { readonly type: 'value'; readonly value: bigint }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'pieces'; readonly pieces: readonly { readonly location: Location; readonly bytes: number }[] }
  | { readonly type: 'lost'; readonly why: string };

const optimisedOut: Location = { type: 'lost', why: 'optimised out' };
const maxSteps = 1000;
const maxListEntries = 10_000;

/** The expression that holds at an address, of a location that changes from place to place. */
export function expressionAt(value: AttributeValue | undefined, unit: DwarfUnit, pc: bigint): Uint8Array | undefined {
  if (value?.type === 'block') return value.value;
  if (value?.type !== 'offset' && value?.type !== 'index' && value?.type !== 'number') return undefined;
  const { sections, header, bases } = unit;
  if (header.version < 5) return fromLoc(unit, Number(value.value), pc);
  const { loclists } = sections;
  const at = (index: number) =>
    bases.locations +
    (header.wideOffsets ? loclists.offset64(bases.locations + 8 * index) : loclists.u32(bases.locations + 4 * index));
  return fromLoclist(unit, value.type === 'index' ? at(value.value) : Number(value.value), pc);
}

function fromLoc(unit: DwarfUnit, offset: number, pc: bigint): Uint8Array | undefined {
  const { addressBytes } = unit.header;
  const { loc } = unit.sections;
  const cursor = new DwarfCursor(loc, offset, loc.length);
  const mark = (1n << BigInt(8 * addressBytes)) - 1n;
  let base = unitBase(unit);
  for (let entries = 0; !cursor.done && entries < maxListEntries; entries++) {
    const [from, to] = [cursor.address(addressBytes), cursor.address(addressBytes)];
    if (from === 0n && to === 0n) return undefined;
    if (from === mark) {
      base = to;
      continue;
    }
    const length = cursor.u16();
    const start = cursor.at;
    cursor.skip(length);
    if (pc >= base + from && pc < base + to) return loc.bytes.subarray(start, start + length);
  }
  return undefined;
}

const [listEnd, viewPair, defaultLocation] = [0, 9, 5];

function fromLoclist(unit: DwarfUnit, offset: number, pc: bigint): Uint8Array | undefined {
  const { loclists } = unit.sections;
  const cursor = new DwarfCursor(loclists, offset, loclists.length);
  let base = unitBase(unit);
  for (let entries = 0; !cursor.done && entries < maxListEntries; entries++) {
    const code = cursor.u8();
    if (code === listEnd) return undefined;
    if (code === viewPair) {
      cursor.unsigned();
      cursor.unsigned();
      continue;
    }
    // Lists of locations have one entry more than those of ranges, in the middle.
    const isDefault = code === defaultLocation;
    const step = isDefault
      ? {}
      : readListPlace(cursor, code > defaultLocation ? code - 1 : code, unit, unit.header.addressBytes, base);
    if (step.base !== undefined) {
      base = step.base;
      continue;
    }
    const length = cursor.unsigned();
    const start = cursor.at;
    cursor.skip(length);
    const fits = isDefault || (step.range !== undefined && pc >= step.range.from && pc < step.range.to);
    if (fits) return loclists.bytes.subarray(start, start + length);
  }
  return undefined;
}

/** Works an expression out. `frameBase` is that of the function around. */
export async function evaluateLocation(
  expression: Uint8Array,
  unit: DwarfUnit,
  frame: FrameContext,
  frameBase: () => Promise<bigint | undefined>,
  initial: readonly bigint[] = [],
): Promise<Location> {
  try {
    return await new LocationMachine(expression, unit, frame, frameBase, initial).run();
  } catch (error) {
    if (error instanceof Lost) return { type: 'lost', why: error.message };
    if (error instanceof RangeError) return { type: 'lost', why: 'its location cannot be read' };
    throw error;
  }
}

class Lost extends Error {}

class LocationMachine {
  readonly #cursor: DwarfCursor;
  readonly #unit: DwarfUnit;
  readonly #frame: FrameContext;
  readonly #frameBase: () => Promise<bigint | undefined>;
  readonly #stack: bigint[];
  readonly #pieces: { location: Location; bytes: number }[] = [];
  #result: Location | undefined;
  #isValue = false;

  constructor(
    expression: Uint8Array,
    unit: DwarfUnit,
    frame: FrameContext,
    frameBase: () => Promise<bigint | undefined>,
    initial: readonly bigint[],
  ) {
    const view: ByteView = unit.sections.info.over(expression);
    this.#cursor = new DwarfCursor(view, 0, view.length, unit.header.wideOffsets);
    this.#unit = unit;
    this.#frame = frame;
    this.#frameBase = frameBase;
    this.#stack = [...initial];
  }

  async run(): Promise<Location> {
    for (let steps = 0; !this.#cursor.done && steps < maxSteps; steps++) await this.#step(this.#cursor.u8());
    if (this.#pieces.length > 0) return { type: 'pieces', pieces: this.#pieces };
    return this.#take();
  }

  /** What has been worked out so far. */
  #take(): Location {
    const result = this.#result;
    this.#result = undefined;
    if (result) return result;
    const top = this.#stack.pop();
    if (top === undefined) return optimisedOut;
    const isValue = this.#isValue;
    this.#isValue = false;
    return isValue ? { type: 'value', value: top } : { type: 'memory', address: top };
  }

  #push(value: bigint): void {
    const bits = 8 * this.#unit.header.addressBytes;
    this.#stack.push(BigInt.asUintN(bits, value));
  }

  #pop(): bigint {
    const value = this.#stack.pop();
    if (value === undefined) throw new RangeError('an expression takes more than it has');
    return value;
  }

  async #register(number: number): Promise<bigint> {
    const value = await this.#frame.register(number);
    if (value === undefined) throw new Lost('the register that holds it is not known in this frame');
    return value;
  }

  async #step(code: number): Promise<void> {
    const cursor = this.#cursor;
    if (code >= 0x30 && code <= 0x4f) return this.#push(BigInt(code - 0x30));
    if (code >= 0x50 && code <= 0x6f) return this.#inRegister(code - 0x50);
    if (code >= 0x70 && code <= 0x8f) {
      const number = code - 0x70;
      return this.#push((await this.#register(number)) + BigInt(cursor.signed()));
    }
    if (this.#constant(code) || this.#arithmetic(code)) return;
    switch (code) {
      case 0x06:
        return this.#push(await this.#dereference(this.#unit.header.addressBytes));
      case 0x94:
        return this.#push(await this.#dereference(cursor.u8()));
      case 0x90:
        return this.#inRegister(cursor.unsigned());
      case 0x91: {
        const base = await this.#frameBase();
        if (base === undefined) throw new Lost('the frame of its function is not known');
        return this.#push(base + BigInt(cursor.signed()));
      }
      case 0x92: {
        const number = cursor.unsigned();
        return this.#push((await this.#register(number)) + BigInt(cursor.signed()));
      }
      case 0x93:
        return this.#piece(cursor.unsigned());
      case 0x96:
        return;
      case 0x9c: {
        if (this.#frame.cfa === undefined) throw new Lost('there are no unwind tables for its function');
        return this.#push(this.#frame.cfa);
      }
      case 0x9e: {
        const length = cursor.unsigned();
        const from = cursor.at;
        cursor.skip(length);
        this.#result = { type: 'bytes', bytes: cursor.view.bytes.subarray(from, from + length) };
        return;
      }
      case 0x9f:
        this.#isValue = true;
        return;
      case 0xa3:
      case 0xf3:
        throw new Lost('it is what an argument was at the call, and that is gone');
      default:
        throw new Lost(`its location uses operation 0x${code.toString(16)}, which is not known here`);
    }
  }

  #inRegister(number: number): void {
    this.#result = { type: 'register', number };
  }

  #piece(bytes: number): void {
    const isEmpty = this.#result === undefined && this.#stack.length === 0;
    this.#pieces.push({ location: isEmpty ? optimisedOut : this.#take(), bytes });
  }

  async #dereference(bytes: number): Promise<bigint> {
    const address = this.#pop();
    const found = await this.#frame.memory(address, bytes);
    if (!found) throw new Lost(`0x${address.toString(16)} cannot be read`);
    const view = this.#unit.sections.info.over(found);
    return bytes === 8 ? view.u64(0) : BigInt(bytes === 4 ? view.u32(0) : bytes === 2 ? view.u16(0) : view.u8(0));
  }

  #constant(code: number): boolean {
    const cursor = this.#cursor;
    const { addressBytes } = this.#unit.header;
    const readers: Readonly<Record<number, () => bigint>> = {
      3: () => cursor.address(addressBytes) + this.#frame.offset,
      8: () => BigInt(cursor.u8()),
      9: () => BigInt(cursor.s8()),
      10: () => BigInt(cursor.u16()),
      11: () => BigInt.asIntN(16, BigInt(cursor.u16())),
      12: () => BigInt(cursor.u32()),
      13: () => BigInt.asIntN(32, BigInt(cursor.u32())),
      14: () => cursor.address(8),
      15: () => BigInt.asIntN(64, cursor.address(8)),
      16: () => BigInt(cursor.unsigned()),
      17: () => BigInt(cursor.signed()),
      161: () => this.#unit.indexedAddress(cursor.unsigned()) + this.#frame.offset,
      162: () => this.#unit.indexedAddress(cursor.unsigned()),
    };
    const read = readers[code];
    if (!read) return false;
    this.#push(read());
    return true;
  }

  #arithmetic(code: number): boolean {
    if (code === 0x23) {
      this.#push(this.#pop() + BigInt(this.#cursor.unsigned()));
      return true;
    }
    if (code === 0x12) {
      const top = this.#pop();
      this.#push(top);
      this.#push(top);
      return true;
    }
    if (code === 0x13) {
      this.#pop();
      return true;
    }
    if (code === 0x1f || code === 0x20) {
      const value = this.#pop();
      this.#push(code === 0x1f ? -value : ~value);
      return true;
    }
    const apply = binary[code];
    if (!apply) return false;
    const [right, left] = [this.#pop(), this.#pop()];
    this.#push(apply(left, right));
    return true;
  }
}

const binary: Readonly<Record<number, (a: bigint, b: bigint) => bigint>> = {
  26: (a, b) => a & b,
  28: (a, b) => a - b,
  30: (a, b) => a * b,
  33: (a, b) => a | b,
  34: (a, b) => a + b,
  36: (a, b) => a << (b & 63n),
  37: (a, b) => a >> (b & 63n),
  39: (a, b) => a ^ b,
  41: (a, b) => BigInt(a === b),
  46: (a, b) => BigInt(a !== b),
};
