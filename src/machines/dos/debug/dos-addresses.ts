import type { CodeAddress } from '../../../chips/x86/code-space.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import { hex, lowerHex } from '../../../formats/hex.ts';
import type { AddressCapability } from '../../../machine/addresses.ts';
import type { CodePlace } from '../../../machine/functions.ts';
import { PlainSymbols } from '../../shared/plain-symbols.ts';

export interface SegmentedAddress {
  readonly segment: number;
  readonly offset: number;
}

const segmentSize = 0x10000;
/** What lies above is reached through no segment. */
const highestSegment = 0xffff0;
/** Places whose segment is known for certain; the oldest are forgotten. */
const mostKnown = 2048;
const segmentRegister = /^[c-gs]s$/;
const offsetRegister = /^e?(?:[abcd]x|[sd]i|[bsi]p)$/;
/** The first number of an offset is hexadecimal, as after every colon; those added to it are what they are elsewhere. */
const throughRegisters = /^([a-z0-9]+):\s*(\$?[a-z0-9]+)((?:\s*[+-]\s*\$?[a-z0-9]+)*)$/;
const addend = /([+-])\s*(\$?[a-z0-9]+)/g;
/** How far after an address that somebody wrote with its segment the same segment is meant. */
const reachOfHint = 0x4000;
/** Around the next instruction people think of code. */
const nearCode = 0x1000;

/** Linear addresses, written with the segment that is most likely meant. */
export class DosAddresses implements AddressCapability {
  readonly symbols = new PlainSymbols();
  readonly #cpu: X86;
  readonly #known = new Map<number, number>();
  #hint: { readonly linear: number; readonly segment: number } | undefined;

  constructor(cpu: X86) {
    this.#cpu = cpu;
  }

  readonly format = (address: bigint): string => {
    const linear = Number(address);
    if (this.#isProtected && Math.abs(linear - this.#cpu.pc) < nearCode) return this.#nearby(linear);
    if (linear < 0 || linear >= highestSegment + segmentSize || this.#isProtected) return `0x${lowerHex(address, 8)}`;
    const { segment, offset } = this.split(linear);
    return segmented(segment, offset);
  };

  /** By the selector that runs, as long as it lies in that segment. */
  #nearby(linear: number): string {
    const { cs, space } = this.#cpu.here;
    const ip = linear - space.base;
    if (ip < 0 || ip > space.limit) return `0x${lowerHex(BigInt(linear), 8)}`;
    return placeOf({ cs, ip, linear, space }).where;
  }

  /** Selectors are no segments. */
  get #isProtected(): boolean {
    return this.#cpu.isProtected && !this.#cpu.isVirtual;
  }

  readonly segmented = (segment: bigint, offset: bigint): bigint => {
    const selected = this.#isProtected ? this.#cpu.selectorBase(Number(segment)) : undefined;
    if (selected !== undefined) return BigInt(selected) + offset;
    const linear = Number(segment) * 16 + Number(offset);
    this.#hint = { linear, segment: Number(segment) };
    return BigInt(linear);
  };

  readonly within = (segment: number, address: bigint): string => segmented(segment, Number(address) - segment * 16);

  /** `ds:si`, `es:0100`, `ss:bp-6`, `046B:bx+si+0x10`: through the registers as they are now. */
  readonly resolve = (text: string): bigint | undefined => {
    const [, segment = '', first = '', more = ''] = throughRegisters.exec(text.toLowerCase()) ?? [];
    let offset = this.#term(first, 16) ?? Number.NaN;
    for (const [, sign, term = ''] of more.matchAll(addend)) {
      offset += (sign === '-' ? -1 : 1) * (this.#term(term, 10) ?? Number.NaN);
    }
    if (Number.isNaN(offset)) return undefined;
    const wrapped = BigInt.asUintN(this.#isProtected ? 32 : 16, BigInt(offset));
    if (!segmentRegister.test(segment)) {
      const number = numberIn(segment, 16);
      return number === undefined || number > 0xffff ? undefined : this.segmented(BigInt(number), wrapped);
    }
    if (this.#isProtected) return BigInt.asUintN(32, BigInt(this.#cpu.baseOf(segment as 'ds')) + wrapped);
    return this.segmented(BigInt(this.#cpu.get(segment)), wrapped);
  };

  #term(text: string, base: 10 | 16): number | undefined {
    return offsetRegister.test(text) ? this.#cpu.get(text) : numberIn(text, base);
  }

  /** Code was seen here: its address is written like this from now on. */
  know(cs: number, ip: number): void {
    if (this.#known.size >= mostKnown) this.#known.delete(this.#known.keys().next().value ?? 0);
    this.#known.set(cs * 16 + ip, cs);
  }

  /** The present code segment for where the processor stands, then the segment that was written, then those in use. */
  split(linear: number): SegmentedAddress {
    const cpu = this.#cpu;
    const cs = cpu.get('cs');
    if (linear === cpu.pc && !cpu.isProtected) return within(linear, cs);
    const known = this.#known.get(linear);
    if (known !== undefined) return within(linear, known);
    const hint = this.#hint;
    if (hint && linear >= hint.linear && linear < hint.linear + reachOfHint && holds(hint.segment, linear)) {
      return within(linear, hint.segment);
    }
    const used = [cs, cpu.get('ds'), cpu.get('es'), cpu.get('ss')].find((segment) => holds(segment, linear));
    const fallback = linear >= 0x100000 ? 0xffff : (linear & 0xf0000) >> 4;
    return within(linear, used ?? fallback);
  }
}

/** `0x12`, `12h` and `$12` in any case; digits alone in the base. */
function numberIn(text: string, base: 10 | 16): number | undefined {
  const [, marked] = /^(?:0x|\$)?([0-9a-f]{1,8})h?$/.exec(text) ?? [];
  if (marked === undefined) return undefined;
  if (base === 16 || marked !== text) return Number.parseInt(marked, 16);
  return /^[0-9]+$/.test(text) ? Number(text) : undefined;
}

/** `1000:0234`. */
export function segmented(segment: number, offset: number): string {
  return `${hex(segment, 4)}:${hex(offset, 4)}`;
}

/** In real mode. */
export function codePlace(cs: number, ip: number): CodePlace {
  return { address: BigInt(cs * 16 + ip), where: segmented(cs, ip), segment: cs };
}

/** Wherever it is: a selector tells no address, so protected mode has places without a segment. */
export function placeOf({ cs, ip, linear, space }: CodeAddress): CodePlace {
  if (space.plain) return codePlace(cs, ip);
  const where = `${hex(cs, 4)}:${hex(ip, space.wide ? 8 : 4)}`;
  if (space.segmented) return { ...codePlace(cs, ip), where };
  return { address: BigInt(linear), where };
}

/** A place from the number that real mode has for it. */
export function placeOfKey(key: number): CodePlace {
  return codePlace(key >>> 16, key & 0xffff);
}

function holds(segment: number, linear: number): boolean {
  return linear >= segment * 16 && linear < segment * 16 + segmentSize;
}

function within(linear: number, segment: number): SegmentedAddress {
  return { segment, offset: linear - segment * 16 };
}
