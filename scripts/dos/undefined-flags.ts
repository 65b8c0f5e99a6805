import type { Instruction } from '../../src/chips/x86/instruction.ts';
import type { X86 } from '../../src/chips/x86/x86.ts';

const flag = { carry: 1, parity: 4, adjust: 0x10, zero: 0x40, sign: 0x80, overflow: 0x800 } as const;
const arithmetic = 0x8d5;

/** Flags that Intel leaves undefined after an instruction. */
const undefinedBehind: Readonly<Record<string, number>> = {
  and: flag.adjust,
  or: flag.adjust,
  xor: flag.adjust,
  test: flag.adjust,
  aaa: flag.overflow | flag.sign | flag.zero | flag.parity,
  aas: flag.overflow | flag.sign | flag.zero | flag.parity,
  aam: flag.overflow | flag.adjust | flag.carry,
  aad: flag.overflow | flag.adjust | flag.carry,
  daa: flag.overflow,
  das: flag.overflow,
  mul: flag.sign | flag.zero | flag.adjust | flag.parity,
  imul: flag.sign | flag.zero | flag.adjust | flag.parity,
  div: arithmetic,
  idiv: arithmetic,
};
const rotates = ['rol', 'ror', 'rcl', 'rcr'];
const shifts = ['shl', 'sal', 'shr', 'sar'];
const define = ['add', 'adc', 'sub', 'sbb', 'cmp', 'neg', 'popf', 'cmps', 'scas', 'cmpsb', 'cmpsw', 'scasb', 'scasw'];

/** Follows a run, and knows which flags have no defined value at each of its instructions. */
export class UndefinedFlags {
  #mask = 0;
  #count = 0;
  #last: Instruction | null = null;

  /** The undefined flags an instruction finds. */
  before(node: Instruction, cpu: X86): number {
    if (this.#last) this.#mask = after(this.#last, this.#mask, this.#count);
    this.#last = node;
    this.#count =
      (node.bytes[0] ?? 0) >= 0xd2 ? cpu.get('cl') & 0x1f : (node.bytes[0] ?? 0) >= 0xd0 ? 1 : node.imm & 0x1f;
    return this.#mask;
  }
}

function after({ form: { mnemonic } }: Instruction, before: number, count: number): number {
  if (define.includes(mnemonic)) return 0;
  if (mnemonic === 'inc' || mnemonic === 'dec') return before & flag.carry;
  if (mnemonic === 'clc' || mnemonic === 'stc') return before & ~flag.carry;
  const isShift = shifts.includes(mnemonic);
  if (isShift || rotates.includes(mnemonic)) {
    if (count === 0) return before;
    const overflow = count === 1 ? 0 : flag.overflow;
    return isShift ? flag.adjust | overflow : (before & ~(flag.carry | flag.overflow)) | overflow;
  }
  return undefinedBehind[mnemonic] ?? before;
}
