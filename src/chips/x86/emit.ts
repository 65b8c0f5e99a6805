import type { Instruction, Operand } from './instruction.ts';
import { memoryTextOf, modeKey } from './memory-text.ts';
import { operationOf } from './operations/index.ts';
import { attention, outcome, type Shape } from './operations/operation.ts';
import { fields, toBase } from './registers.ts';

type FieldName = Parameters<Shape['field']>[0];

/** Where the text for an instruction is put: how it names the instruction's fields. */
export type Naming = (name: FieldName) => string;

/** Names fields of an instruction held in `n`: the text then serves every instruction of the same shape. */
export const byInstruction: Naming = (name) => `n.${name}`;

/**
 * The body of a handler in JavaScript, from the semantics table. It uses the locals `a b k r q o t` and, of its
 * surroundings, `R R16 R8 ram D rf wf L W c A P n call`; the flags are `fr fx fc fo`.
 */
export function emit(instruction: Instruction, generation: number, field: Naming): string {
  const operation = operationOf(instruction);
  const [first, second, third] = instruction.operands;
  const shape = shapeOf(instruction, generation, field);
  const lines: string[] = [];
  const memory = instruction.operands.some(({ kind }) => kind === 'memory') && instruction.modrm !== -1;
  const absolute = instruction.form.operands.some((code) => code.startsWith('O'));
  if (memory || absolute) lines.push(`o = ${offsetText(instruction, field)};`);
  const read = (name: string, operand: Operand | undefined, slot: 'd' | 's') => {
    const changes = slot === 'd' ? operation.writes !== '' : operation.writes === 'ab';
    if (operand) lines.push(`${name} = ${readText(operand, slot, instruction, field, changes)};`);
  };
  if (operation.before !== undefined) lines.push(operation.before);
  if (operation.prepare && first?.kind === 'memory') {
    read('b', second, 's');
    lines.push(operation.prepare(shape));
  }
  if (operation.reads.includes('a')) read('a', first, 'd');
  if (operation.reads.includes('b')) read('b', second, 's');
  if (operation.reads.includes('k') && third) {
    lines.push(`k = ${third.kind === 'immediate' ? field('imm') : 'R8[4]'};`);
  }
  if (operation.code) lines.push(operation.code(shape));
  else {
    const values = `c, n, ${operation.reads.includes('a') ? 'a' : '0'}, ${operation.reads.includes('b') ? 'b' : '0'}`;
    const last = operation.reads.includes('o') ? 'o' : operation.reads.includes('k') ? 'k' : '0';
    const call = `call(${values}, ${last}, ${shape.width})`;
    lines.push(operation.control ? `return ${call};` : `r = ${call};`);
  }
  if (operation.writes !== '' && first) lines.push(writeText(first, 'd', 'r', instruction, field));
  if (operation.writes === 'ab' && second) lines.push(writeText(second, 's', 'q', instruction, field));
  const stores = operation.writes !== '' && first?.kind === 'memory';
  if (stores || (operation.control === 'look' && operation.code)) {
    lines.push(`return A[0] === 0 ? ${outcome.next} : ${outcome.look};`);
  } else lines.push(ending(instruction));
  return lines.join('\n');
}

/** What tells shapes apart: instructions with the same key have the same text. */
export function shapeKey(instruction: Instruction): string {
  const { form, operandSize, addressSize, operands, modrm } = instruction;
  const kinds = operands.map(({ kind, width, index }) => {
    const pushesSp = kind === 'register' && form.mnemonic === 'push' && index === 4;
    const register = kind === 'segment' || pushesSp ? index : '';
    return `${kind}${width}${register}`;
  });
  return `${modeKey(instruction.space)}${form.mnemonic} ${form.operands.join()} ${operandSize}${addressSize} ${kinds.join()} ${modrm === -1}`;
}

const words = { fr: fields.result, fx: fields.auxiliary, fc: fields.carry, fo: fields.overflow };
/** Text that brings the flags from locals to the state, and back. */
export const flagsOut = Object.entries(words)
  .map(([name, word]) => `R[${word}] = ${name};`)
  .join(' ');
export const flagsIn = Object.entries(words)
  .map(([name, word]) => `${name} = R[${word}];`)
  .join(' ');

/** The arithmetic flags as words of the state. */
export function flagsInState(text: string): string {
  return text.replace(/\bf[rxco]\b/g, (name) => `R[${words[name as keyof typeof words]}]`);
}

function shapeOf(instruction: Instruction, generation: number, field: Naming): Shape {
  const { form, operands, operandSize, addressSize } = instruction;
  return {
    width: (form.mnemonic === 'outs' ? operands[1]?.width : operands[0]?.width) ?? operandSize,
    sourceWidth: operands[1]?.width ?? 16,
    addressSize,
    operandSize,
    generation,
    memory: memoryTextOf(instruction.space),
    field,
    isRegister: (index) => operands[0]?.kind === 'register' && operands[0].index === index,
  };
}

/** Where the memory operand lies in its segment. */
export function offsetText({ addressSize, modrm }: Instruction, field: Naming): string {
  if (modrm >> 6 === 3) return '0';
  if (addressSize === 32) {
    return `(R[${field('base')}] + (R[${field('index')}] << ${field('scale')}) + ${field('disp')}) >>> 0`;
  }
  return `(R16[${field('base')}] + R16[${field('index')}] + ${field('disp')}) & 65535`;
}

function registerText(width: number, index: string): string {
  return width === 8 ? `R8[${index}]` : width === 16 ? `R16[${index}]` : `R[${index}]`;
}

function readText(
  { kind, width }: Operand,
  slot: 'd' | 's',
  instruction: Instruction,
  field: Naming,
  changes: boolean,
): string {
  switch (kind) {
    case 'register':
      return registerText(width, field(slot));
    case 'memory':
      return memoryTextOf(instruction.space).load(width, field('seg'), instruction.addressSize === 32, changes);
    case 'immediate':
      return field('imm');
    default:
      return `R[${field(slot)}]`;
  }
}

function writeText(operand: Operand, slot: 'd' | 's', value: string, instruction: Instruction, field: Naming): string {
  const { kind, width } = operand;
  switch (kind) {
    case 'register':
      return `${registerText(width, field(slot))} = ${value};`;
    case 'memory': {
      // MOV of a segment register stores 16 bits whatever the operand size.
      const bits = instruction.operands[1]?.kind === 'segment' ? 16 : width;
      return memoryTextOf(instruction.space).store(bits, field('seg'), value, instruction.addressSize === 32);
    }
    case 'segment':
      return `R[${field(slot)}] = ${value} & 65535; R[${field(slot)} + ${toBase}] = (${value} & 65535) << 4;`;
    default:
      return '';
  }
}

/** Loading SS holds interrupts off for one instruction; loading CS (an 8086 can) is a jump. */
function ending({ form, operands, space }: Instruction): string {
  const [first] = operands;
  // There a load of SS or CR0 may change how code is read.
  if (!space.plain && form.mnemonic === 'lss')
    return `R[${fields.shadow}] = 1; A[0] |= ${attention.interrupts}; return ${outcome.look};`;
  const loads = form.mnemonic === 'mov' || form.mnemonic === 'pop';
  const segment =
    loads && first?.kind === 'segment' ? fields.es + first.index : form.mnemonic === 'lss' ? fields.ss : 0;
  if (segment === fields.cs) return `R[${fields.eip}] = n.next; return ${outcome.jump};`;
  if (segment !== fields.ss) return `return ${outcome.next};`;
  return `R[${fields.shadow}] = 1; A[0] |= ${attention.interrupts}; return ${outcome.look};`;
}
