import type { AddressingMode } from '../../../chips/mos6510/opcodes.ts';
import { hex } from '../../hex.ts';
import { longBranches, modesOf } from './instructions.ts';
import type { InstructionNode } from './nodes.ts';

export interface EncodedInstruction {
  readonly bytes: readonly number[];
  /** Two bytes were needed where one might do. */
  readonly wide: boolean;
  readonly error?: string;
  readonly warning?: string;
  readonly column?: number;
}

const examples: Readonly<Record<AddressingMode, string>> = {
  implied: 'no operand',
  accumulator: 'a',
  immediate: '#value',
  zeropage: 'zp',
  'zeropage,x': 'zp,x',
  'zeropage,y': 'zp,y',
  absolute: 'addr',
  'absolute,x': 'addr,x',
  'absolute,y': 'addr,y',
  '(absolute)': '(addr)',
  '(zeropage,x)': '(zp,x)',
  '(zeropage),y': '(zp),y',
  relative: 'addr',
};

/** The bytes of one instruction. `value` is undefined while the operand is not known; then sizes are kept safe and bytes 0. */
export function encodeInstruction(
  node: InstructionNode,
  value: number | undefined,
  pc: number,
  keepWide: boolean,
): EncodedInstruction {
  const { instruction, operand } = node;
  const column = operand?.column ?? node.column;
  let { shape } = node;
  let warning: string | undefined;
  const branch = instruction.get('relative');
  if (branch !== undefined && shape === 'plain') return encodeBranch(node, branch, value, pc, keepWide);
  if (shape === '()' && !instruction.has('(absolute)')) {
    shape = 'plain';
    warning = `the parentheses do nothing here: ${node.name} has no (address), only (zp,x) and (zp),y`;
  }
  const [short, long] = modesOf[shape];
  const opShort = short === undefined ? undefined : instruction.get(short);
  const opLong = long === undefined ? undefined : instruction.get(long);
  if (opShort === undefined && opLong === undefined) {
    const modes = [...new Set([...instruction.keys()].map((mode) => examples[mode]))].join('  ');
    const message = operand ? `${node.name} has no such addressing mode` : `${node.name} needs an operand`;
    return { bytes: [0], wide: false, column, error: `${message}; it has: ${modes}` };
  }
  if (shape === 'implied' || shape === 'accumulator') return { bytes: [opShort ?? 0], wide: false };
  const extra = { column, ...(warning ? { warning } : {}) };
  if (shape === '#')
    return { bytes: [opShort ?? 0, (value ?? 0) & 255], wide: false, column, ...immediateError(value) };

  const fits = value !== undefined && value >= 0 && value < 256;
  const wantsLong = node.bytes === undefined ? operand?.wide || keepWide || !fits : node.bytes === 2;
  const useShort = opShort !== undefined && (opLong === undefined || !wantsLong);
  if (!useShort && opLong !== undefined) {
    const error = node.bytes === 1 ? `${node.name} has no zero-page form of this operand` : addressError(value);
    const bytes = [opLong, (value ?? 0) & 255, ((value ?? 0) >> 8) & 255];
    return { bytes, wide: opShort !== undefined, ...extra, ...(error ? { error } : {}) };
  }
  const tooFar = node.bytes === 2 ? `${node.name} has no absolute form of this operand` : undefined;
  const outside = value !== undefined && !fits ? `${shown(value)} is not in the zero page` : undefined;
  const error = tooFar ?? outside;
  return { bytes: [opShort ?? 0, (value ?? 0) & 255], wide: false, ...extra, ...(error ? { error } : {}) };
}

function immediateError(value: number | undefined): { error?: string } {
  if (value === undefined || (value >= -128 && value <= 255)) return {};
  return { error: `${shown(value)} does not fit in a byte; use #< for its low byte or #> for its high byte` };
}

function addressError(value: number | undefined): string | undefined {
  return value !== undefined && (value < 0 || value > 0xffff) ? `${value} is not an address: $0000-$FFFF` : undefined;
}

function encodeBranch(
  node: InstructionNode,
  opcode: number,
  value: number | undefined,
  pc: number,
  keepWide: boolean,
): EncodedInstruction {
  const raw = ((value ?? pc + 2) - (pc + 2)) & 0xffff;
  const distance = raw >= 0x8000 ? raw - 0x10000 : raw;
  const reaches = distance >= -128 && distance <= 127;
  if (longBranches.has(node.name) && (!reaches || keepWide)) {
    // Bit 5 of a branch's opcode is the value it waits for.
    const bytes = [opcode ^ 0x20, 3, 0x4c, (value ?? 0) & 255, ((value ?? 0) >> 8) & 255];
    return { bytes, wide: true };
  }
  const bytes = [opcode, distance & 255];
  if (reaches) return { bytes, wide: false };
  const far = distance < 0 ? -128 - distance : distance - 127;
  const error = `${node.name} reaches -128 to +127 bytes, the target is ${distance > 0 ? '+' : ''}${distance} away (${far} too far): branch the other way around a jmp`;
  return { bytes, wide: false, error, column: node.operand?.column ?? node.column };
}

const shown = (value: number) => (value < 0 ? `${value}` : `$${hex(value)}`);
