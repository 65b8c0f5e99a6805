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
const throughRegisters = /^([c-gs]s):([0-9a-f]{1,8}|e?[abcd]x|e?[sd]i|e?[bsi]p)$/i;
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

  /** `ds:si`, `es:0100`: through the segment registers as they are now. */
  readonly resolve = (text: string): bigint | undefined => {
    const [, segment, offset = ''] = throughRegisters.exec(text)?.map((part) => part.toLowerCase()) ?? [];
    if (segment === undefined) return undefined;
    const isRegister = /^e?([abcd]x|[sd]i|[bsi]p)$/.test(offset);
    const value = isRegister ? this.#cpu.get(offset) : Number.parseInt(offset, 16);
    if (this.#isProtected) return BigInt(this.#cpu.baseOf(segment as 'ds') + value);
    return this.segmented(BigInt(this.#cpu.get(segment)), BigInt(value));
  };

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
