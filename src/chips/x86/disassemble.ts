import type { Instruction, Operand, OperandField } from './instruction.ts';
import { fields, generalNames, segmentNames } from './registers.ts';

/** Mnemonics that change with the operand size: what is written for 16 and for 32 bits. */
const sized: Readonly<Record<string, readonly [string, string]>> = {
  cbw: ['cbw', 'cwde'],
  cwd: ['cwd', 'cdq'],
  pushf: ['pushf', 'pushfd'],
  popf: ['popf', 'popfd'],
  pusha: ['pusha', 'pushad'],
  popa: ['popa', 'popad'],
  iret: ['iret', 'iretd'],
};
const renamed: Readonly<Record<string, string>> = { callf: 'call far', jmpf: 'jmp far', sal: 'shl' };
const stringOperations = new Set(['movs', 'cmps', 'stos', 'lods', 'scas', 'ins', 'outs']);
const comparing = new Set(['cmps', 'scas']);
const sizeNames = { 8: 'byte', 16: 'word', 32: 'dword' } as const;
const numericSizes: Readonly<Record<number, string>> = { 2: 'word ', 4: 'dword ', 8: 'qword ', 10: 'tbyte ' };
const sizeLetters = { 8: 'b', 16: 'w', 32: 'd' } as const;

/** An instruction in Intel's syntax, with numbers as 0x1f. `{0x104}` is an operand that programs change, by its place. */
export function disassemble(instruction: Instruction): string {
  const { form, operands } = instruction;
  if (form.mnemonic === 'invalid' || form.mnemonic === 'overlong') {
    return `db ${[...instruction.bytes].map((byte) => hex(byte)).join(',')}`;
  }
  const prefix = prefixText(instruction);
  if (stringOperations.has(form.mnemonic)) {
    const width = operands.find(({ kind }) => kind === 'memory')?.width ?? 8;
    return `${prefix}${overrideText(instruction)}${form.mnemonic}${sizeLetters[width]}`;
  }
  const text = operands.map((operand, place) => operandText(operand, place, instruction)).join(',');
  const mnemonic = mnemonicText(instruction);
  return text === '' ? `${prefix}${mnemonic}` : `${prefix}${mnemonic} ${text}`;
}

function mnemonicText({ form, operandSize, addressSize }: Instruction): string {
  const pair = sized[form.mnemonic];
  if (pair) return operandSize === 32 ? pair[1] : pair[0];
  if (form.mnemonic === 'jcxz' && addressSize === 32) return 'jecxz';
  return renamed[form.mnemonic] ?? form.mnemonic;
}

function prefixText({ lock, repeat, form }: Instruction): string {
  const locked = lock ? 'lock ' : '';
  if (repeat === 0) return locked;
  if (repeat === 0xf2) return `${locked}repne `;
  return comparing.has(form.mnemonic) ? `${locked}repe ` : `${locked}rep `;
}

/** The segment of a string's source, where it is not the usual one. */
function overrideText({ override, form, operands }: Instruction): string {
  const reads = form.operands.some((code) => code.startsWith('X')) && operands.length > 0;
  return override >= 0 && override !== 3 && reads ? `${segmentNames[override]} ` : '';
}

function operandText(operand: Operand, place: number, instruction: Instruction): string {
  const { kind, width, index } = operand;
  switch (kind) {
    case 'register':
      return generalNames[width][index] as string;
    case 'segment':
      return segmentNames[index] as string;
    case 'immediate': {
      const second = place > 0 && instruction.form.mnemonic === 'enter';
      return valueText(instruction, second ? 'imm2' : 'imm', second ? instruction.imm2 : immediate(instruction, width));
    }
    case 'target':
      return valueText(instruction, 'target', instruction.target);
    case 'far':
      return `${valueText(instruction, 'imm', instruction.imm)}:${valueText(instruction, 'target', instruction.target)}`;
    case 'memory':
      return memoryText(operand, instruction);
    case 'stack':
      return `st${index}`;
    default:
      return `${kind === 'control' ? 'cr' : kind === 'debug' ? 'dr' : 'tr'}${index}`;
  }
}

function valueText({ ip, wild }: Instruction, slot: OperandField['slot'], value: number): string {
  const field = wild.find((other) => other.slot === slot);
  return field ? `{${hex(ip + field.offset)}}` : hex(value);
}

function immediate({ imm }: Instruction, width: number): number {
  return width === 32 ? imm >>> 0 : imm & (width === 16 ? 0xffff : 0xff);
}

function memoryText({ width, bytes }: Operand, instruction: Instruction): string {
  const { form, operands } = instruction;
  const code = form.operands[operands.findIndex(({ kind }) => kind === 'memory')] ?? '';
  const named = operands.some(({ kind }) => kind === 'register' || kind === 'segment');
  const shift = form.operands.includes('CL') && operands.length === 2;
  const differs = form.mnemonic === 'movzx' || form.mnemonic === 'movsx';
  const needsSize = code.startsWith('E') && (!named || shift || differs);
  const size = bytes === undefined ? `${sizeNames[width]} ` : (numericSizes[bytes] ?? '');
  return `${needsSize || bytes !== undefined ? size : ''}[${segmentText(instruction)}${addressText(instruction)}]`;
}

function segmentText({ override }: Instruction): string {
  return override >= 0 ? `${segmentNames[override]}:` : '';
}

function addressText(instruction: Instruction): string {
  const { addressSize, base, index, scale, disp, wild } = instruction;
  const names = generalNames[addressSize];
  const step = addressSize === 16 ? 2 : 1;
  const parts: string[] = [];
  if (base !== fields.zero * step) parts.push(names[base / step] as string);
  if (index !== fields.zero * step) parts.push(`${names[index / step]}${scale > 0 ? `*${1 << scale}` : ''}`);
  const registers = parts.join('+');
  if (registers === '') return valueText(instruction, 'disp', addressSize === 16 ? disp & 0xffff : disp >>> 0);
  if (wild.some(({ slot }) => slot === 'disp')) return `${registers}+${valueText(instruction, 'disp', disp)}`;
  const offset = addressSize === 16 ? (disp << 16) >> 16 : disp;
  if (offset === 0) return registers;
  return `${registers}${offset < 0 ? '-' : '+'}${hex(Math.abs(offset))}`;
}

function hex(value: number): string {
  return value < 10 ? String(value) : `0x${value.toString(16)}`;
}
