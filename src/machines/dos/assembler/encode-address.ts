import type { AddressRegister } from './expression.ts';
import type { Bits } from './mnemonics.ts';
import { addressRegisters, type MemoryOperand } from './operand.ts';
import { SourceError } from './source-error.ts';

/** ModRM without its reg field, and what follows it. */
export interface EncodedAddress {
  readonly modrm: number;
  readonly rest: readonly number[];
  /** Of its registers and its distance. */
  readonly bits: Bits;
}

/** By registers, in the order of the rm field: si 6, di 7, bp 5, bx 3. */
const pairs = ['3,6', '3,7', '5,6', '5,7', '6', '7', '5', '3'];
const [esp, ebp] = [4, 5];

/** Every way to write an address, the shortest first. */
export function encodeAddress({ address, nosplit }: MemoryOperand, bits: Bits): readonly EncodedAddress[] {
  const registers = addressRegisters(address);
  const { constant } = address;
  const widths = new Set(registers.map(({ register: { width } }) => width));
  if (widths.size > 1) throw new SourceError('An address cannot mix registers of 16 and of 32 bits.');
  if (widths.has(32)) return wideAddresses(registers, constant, nosplit);
  if (registers.length === 0 && bits === 32) return [{ modrm: 5, rest: little(constant, 4), bits }];
  if (constant < -0x8000 || constant > 0xffff)
    throw new SourceError(`The address ${constant} does not fit into 16 bits.`);
  if (registers.length === 0) return [{ modrm: 6, rest: little(constant, 2), bits: 16 }];
  const key = registers
    .map(({ register: { index } }) => index)
    .sort((a, b) => order(a) - order(b))
    .join();
  const rm = pairs.indexOf(key);
  if (rm < 0 || registers.some(({ factor }) => factor !== 1)) {
    throw new SourceError('16-bit addresses are made of bx or bp, si or di, and a number: [bx+si+4].');
  }
  return withDistance(constant, 16, rm, [], rm !== 6);
}

/** bx and bp come before si and di. */
function order(index: number): number {
  return index === 3 || index === 5 ? 0 : 1;
}

function wideAddresses(
  registers: readonly { readonly register: AddressRegister; readonly factor: number }[],
  constant: number,
  nosplit: boolean,
): readonly EncodedAddress[] {
  const { base, index, scale } = roles(registers, nosplit);
  if (base === undefined) {
    const sib = (Math.log2(scale) << 6) | ((index ?? esp) << 3) | ebp;
    return [{ modrm: 4, rest: [sib, ...little(constant, 4)], bits: 32 }];
  }
  const needsSib = index !== undefined || base === esp;
  const sib = needsSib ? [(Math.log2(scale) << 6) | ((index ?? esp) << 3) | base] : [];
  return withDistance(constant, 32, needsSib ? 4 : base, sib, base !== ebp);
}

/**
 * Which register is the base and which is multiplied. ESP cannot be multiplied; 3, 5 and 9 are a register and itself, and so is 2,
 * which takes three bytes less then.
 */
function roles(
  registers: readonly { readonly register: AddressRegister; readonly factor: number }[],
  nosplit: boolean,
) {
  const impossible = new SourceError('32-bit addresses are a register, another times 1, 2, 4 or 8, and a number.');
  const [first, second, ...others] = registers;
  if (!first || others.length > 0) throw impossible;
  if (!second) {
    const { register, factor } = first;
    if (factor === 1) return { base: register.index, index: undefined, scale: 1 };
    const isSplit = [3, 5, 9].includes(factor) || (factor === 2 && !nosplit && register.index !== esp);
    if (isSplit) return { base: register.index, index: register.index, scale: factor - 1 };
    if (![2, 4, 8].includes(factor) || register.index === esp) throw impossible;
    return { base: undefined, index: register.index, scale: factor };
  }
  if (first.factor !== 1 || ![1, 2, 4, 8].includes(second.factor)) throw impossible;
  const swapped = second.register.index === esp;
  if (swapped && second.factor !== 1) throw impossible;
  const [base, index] = swapped ? [second, first] : [first, second];
  return { base: base.register.index, index: index.register.index, scale: swapped ? 1 : second.factor };
}

function withDistance(
  constant: number,
  bits: Bits,
  rm: number,
  sib: readonly number[],
  canBeNone: boolean,
): readonly EncodedAddress[] {
  const signed = bits === 16 ? (constant << 16) >> 16 : constant | 0;
  const found: EncodedAddress[] = [];
  if (signed === 0 && canBeNone) found.push({ modrm: rm, rest: sib, bits });
  if (signed >= -128 && signed <= 127) found.push({ modrm: 0x40 | rm, rest: [...sib, signed & 0xff], bits });
  found.push({ modrm: 0x80 | rm, rest: [...sib, ...little(constant, bits / 8)], bits });
  return found;
}

export function little(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, index) => Math.floor(value / 2 ** (8 * index)) & 0xff);
}
