import { type AddressingMode, type Opcode, opcodes } from './opcodes.ts';

/** One instruction as text, with what a listing or a debugger wants to know about it. */
export interface Disassembled {
  readonly text: string;
  readonly length: number;
  readonly row: Opcode;
  /** Where a branch, jump or call goes, or the address an operand names; absent for implied and immediate. */
  readonly target?: number;
}

const hex = (value: number, digits: number) => `$${value.toString(16).toUpperCase().padStart(digits, '0')}`;

/** How an operand is written; `name` is the address as text, so that symbols can take its place. */
const forms: Readonly<Record<AddressingMode, (name: string) => string>> = {
  implied: () => '',
  accumulator: () => ' A',
  immediate: (name) => ` #${name}`,
  zeropage: (name) => ` ${name}`,
  'zeropage,x': (name) => ` ${name},X`,
  'zeropage,y': (name) => ` ${name},Y`,
  absolute: (name) => ` ${name}`,
  'absolute,x': (name) => ` ${name},X`,
  'absolute,y': (name) => ` ${name},Y`,
  '(absolute)': (name) => ` (${name})`,
  '(zeropage,x)': (name) => ` (${name},X)`,
  '(zeropage),y': (name) => ` (${name}),Y`,
  relative: (name) => ` ${name}`,
};

/** Disassembles the instruction at the start of `bytes`, which lies at `pc`. Missing bytes count as 0. */
export function disassemble(
  bytes: ArrayLike<number>,
  pc: number,
  nameOf: (address: number) => string | undefined = () => undefined,
): Disassembled {
  const row = opcodes[bytes[0] ?? 0] as Opcode;
  const { mnemonic, mode, length } = row;
  if (length === 1) return { text: mnemonic + forms[mode](''), length, row };
  const low = bytes[1] ?? 0;
  if (mode === 'immediate') return { text: mnemonic + forms[mode](hex(low, 2)), length, row };
  const operand = length === 3 ? low | ((bytes[2] ?? 0) << 8) : low;
  const target = mode === 'relative' ? (pc + 2 + ((low ^ 128) - 128)) & 0xffff : operand;
  const digits = length === 3 || mode === 'relative' ? 4 : 2;
  return { text: mnemonic + forms[mode](nameOf(target) ?? hex(target, digits)), length, row, target };
}
