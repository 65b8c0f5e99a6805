import { fields as numericFields } from '../../x87/fields.ts';
import { doubleBias, type quick, singleBias } from '../../x87/quick.ts';
import { bias, integerBit } from '../../x87/real.ts';
import type { Instruction } from '../instruction.ts';
import { placeText } from '../memory-text.ts';
import { control, fields, toBase } from '../registers.ts';
import { outcome, type QuickText } from './operation.ts';

const { status, full, opcode, instructionOffset, instructionSegment, operandOffset, operandSegment, low, high, head } =
  numericFields;
const conditionC1 = 0x200;
const topBits = 0x3800;
/** CR0 has no bit that makes escapes fault. */
const isAllowed = `(R[${fields.cr0}] & 12) === 0`;
/** The 486 has no exception under way that it would raise first. */
const isUndisturbed = `((R[${fields.cr0}] & ${control.numericError}) >> 5 & F[${status}] >> 7) === 0`;

/** The numbers of the top and of the other register, in `t` and `q`. */
function registersOf(other: number): string {
  return `t = F[${status}] >> 11 & 7; q = t + ${other} & 7;`;
}

function remember({ imm, imm2, cs, ip }: Instruction, generation: number): string {
  // The 8087 hears of no prefixes.
  const offset = generation < 2 ? (ip + imm2) & 0xffff : ip;
  return `F[${opcode}] = ${imm}; F[${instructionSegment}] = ${cs}; F[${instructionOffset}] = ${offset | 0};`;
}

const bothFull = `(F[${full}] >> t & F[${full}] >> q & 1) !== 0`;
const pop = `F[${full}] &= ~(1 << t); F[${status}] = F[${status}] & ${~topBits} | (t + 1 & 7) << 11;`;
const clearC1 = `F[${status}] &= ${~conditionC1};`;

function copy(from: string, to: string): string {
  return [low, high, head].map((part) => `F[${part} + ${to}] = F[${part} + ${from}];`).join(' ');
}

const swap = [low, high, head]
  .map((part) => `r = F[${part} + t]; F[${part} + t] = F[${part} + q]; F[${part} + q] = r;`)
  .join(' ');

const arithmetic: Readonly<Record<number, readonly [name: string, operands: string]>> = {
  0: ['add', 't, q'],
  1: ['multiply', 't, q'],
  4: ['subtract', 't, q'],
  5: ['subtract', 'q, t'],
  6: ['divide', 't, q'],
  7: ['divide', 'q, t'],
};

/** What is usual of the escape with these 11 bits: when it is, and what it does then. */
function usual(bits: number): { readonly when: string; readonly act: string } | null {
  const group = bits & 0x7f8;
  const way = arithmetic[(bits >> 3) & 7];
  if (way && [0x000, 0x400, 0x600].includes(bits & 0x700)) {
    const [name, operands] = way;
    const act = (bits & 0x200) === 0 ? '' : pop;
    return { when: `Q.${name}(F, ${operands}, ${(bits & 0x400) === 0 ? 't' : 'q'})`, act };
  }
  if ([0x1c8, 0x5c8, 0x7c8].includes(group)) return { when: bothFull, act: `${swap} ${clearC1}` };
  const fillOther = `${copy('t', 'q')} F[${full}] |= 1 << q; ${clearC1}`;
  const topFull = `(F[${full}] >> t & 1) !== 0`;
  if (group === 0x5d0) return { when: topFull, act: fillOther };
  if ([0x1d8, 0x5d8, 0x7d0, 0x7d8].includes(group)) return { when: topFull, act: `${fillOther} ${pop}` };
  if (group !== 0x1c0) return null;
  const above = `r = t - 1 & 7; ${copy('q', 'r')}`;
  return {
    when: `(F[${full}] >> q & ~F[${full}] >> (t - 1 & 7) & 1) !== 0`,
    act: `${above} F[${full}] |= 1 << r; F[${status}] = F[${status}] & ${~(topBits | conditionC1)} | r << 11;`,
  };
}

type Quick = keyof typeof quick;

/** By the escape, in pairs: how its operand is taken, and the bits of that. */
const operandFormats: readonly (readonly [take: Quick, bits: number])[] = [
  ['takeSingle', 32],
  ['takeInteger', 32],
  ['takeDouble', 64],
  ['takeInteger', 16],
];
const byOperand: readonly Quick[] = [
  ...['addOperand', 'multiplyOperand', 'compare', 'compare'],
  ...['subtractOperand', 'subtractFromOperand', 'divideByOperand', 'divideOperand'],
] as readonly Quick[];
const popTop = `t = F[${status}] >> 11 & 7; ${pop}`;

function wordAt(offset: number): string {
  return `D.getInt32(t + ${offset}, true)`;
}

function putWord(offset: number, value: string): string {
  return `D.setInt32(t + ${offset}, ${value}, true);`;
}

/** Takes a number that is not zero and no denormal, infinity or NaN without a call; of others, and of all that is not said here, a call decides. */
function taking(bits: number, isInteger: boolean, call: string): string {
  const put = (head: string, high: string, low: string) =>
    `(Q.operand.head = ${head}, Q.operand.high = ${high}, Q.operand.low = ${low}, true)`;
  if (isInteger) {
    const value = bits === 16 ? 'D.getInt16(t, true)' : wordAt(0);
    const head = `(q < 0 ? 32768 : 0) | ${bias + 31} - r`;
    return `((q = ${value}) !== 0 ? (k = q < 0 ? -q | 0 : q, r = Math.clz32(k), ${put(head, 'k << r', '0')}) : ${call})`;
  }
  const isDouble = bits === 64;
  const [shift, most, added] = isDouble ? [20, 0x7ff, doubleBias] : [23, 0xff, singleBias];
  const isNumber = `(k = (q = ${wordAt(isDouble ? 4 : 0)}) >>> ${shift} & ${most}) !== 0 && k !== ${most}`;
  const head = `q >>> 16 & 32768 | k + ${added}`;
  const high = `${integerBit} | ${isDouble ? '(q & 1048575) << 11 | r >>> 21' : '(q & 8388607) << 8'}`;
  const before = isDouble ? `r = ${wordAt(0)}, ` : '';
  return `(${isNumber} ? (${before}${put(head, high, isDouble ? 'r << 11' : '0')}) : ${call})`;
}

/** What is usual of an escape with an operand in memory. */
function usualWithMemory({ imm, seg, space }: Instruction): { readonly when: string; readonly act: string } | null {
  const [esc, group] = [(imm >> 8) & 7, (imm >> 3) & 7];
  const [take, bits] = operandFormats[esc >> 1] as readonly [Quick, number];
  const place = (rights: 'read' | 'write') => placeText(space, bits, rights, seg);
  const words = bits === 16 ? 'D.getInt16(t, true)' : bits === 32 ? wordAt(0) : `${wordAt(0)}, ${wordAt(4)}`;
  const taken = `${place('read')} && ${taking(bits, take === 'takeInteger', `Q.${take}(${words})`)}`;
  const isArithmetic = (esc & 1) === 0;
  if (isArithmetic) return { when: `${taken} && Q.${byOperand[group]}(F)`, act: group === 3 ? popTop : '' };
  if (group === 0) return { when: `${taken} && Q.load(F)`, act: '' };
  if ((group !== 2 && group !== 3) || take === 'takeInteger') return null;
  const isDouble = take === 'takeDouble';
  const upper = isDouble ? putWord(4, 'Q.stored[1]') : '';
  return {
    when: `${place('write')} && Q.store(F, ${isDouble})`,
    act: `${putWord(0, 'Q.stored[0]')} ${upper} ${group === 3 ? popTop : ''}`,
  };
}

function rememberOperand({ seg }: Instruction): string {
  return `F[${operandSegment}] = R[${seg - toBase}]; F[${operandOffset}] = o;`;
}

/** Escapes where they are usual. `F` is the state of the coprocessor and `Q` its quick operations. */
export const quickEscape: QuickText = (instruction, { rules: { generation }, hasCoprocessor, offset }) => {
  const onMemory = instruction.modrm >> 6 !== 3;
  const known = onMemory ? usualWithMemory(instruction) : usual(instruction.imm);
  if (!known || !hasCoprocessor) return null;
  const undisturbed = generation >= 4 ? `${isUndisturbed} && ` : '';
  const allowed = generation >= 2 ? `${isAllowed} && ${undisturbed}` : '';
  const remembered = `${remember(instruction, generation)} ${onMemory ? rememberOperand(instruction) : ''}`;
  return {
    before: onMemory ? `o = ${offset};` : registersOf(instruction.imm & 7),
    when: `${allowed}${known.when}`,
    act: `${known.act} ${remembered} return ${outcome.next};`,
  };
};

/** FNSTSW AX. */
export const quickStatus: QuickText = (_instruction, { rules: { generation }, hasCoprocessor }) => {
  if (!hasCoprocessor || generation < 2) return null;
  return { before: '', when: isAllowed, act: `R16[${fields.eax * 2}] = F[${status}]; return ${outcome.next};` };
};
