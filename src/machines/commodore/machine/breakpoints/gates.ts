import { gateAt } from '../../../../chips/mos6510/asking-instructions.generated.ts';
import { applyBinary, applyUnary, type Vocabulary } from '../../../shared/condition/condition.ts';
import type { Expression } from '../../../shared/condition/parse-condition.ts';
import type { Gates } from '../../board/gates.ts';

/** Longer conditions are asked as they are: looking at all values of what they depend on would take too long. */
const mostParts = 48;
const mostBytes = 4;
const values = 0x100;
/** Of a line, and of the next one for a run that goes on there. */
const lineCycles = 0x100;
const firstPlainByte = 2;
/** By name in conditions. */
const places = { a: 0, x: gateAt.x, y: gateAt.y, sp: gateAt.s, raster_cycle: gateAt.cycle };
/** Rows that a program can change without an access that ends a run. */
const memoryRows = ['ram', 'rom', 'io'];

export function openGates(): Gates {
  return { table: new Uint8Array(gateAt.cycle + lineCycles).fill(1), pc: -1, byteAt: -1, isAlways: true };
}

function never(): Gates {
  const gates = openGates();
  return { ...gates, table: gates.table.fill(0), isAlways: false };
}

/** Whether they keep anything out. */
function isNarrow({ table, pc }: Gates): boolean {
  return pc >= 0 || table.includes(0);
}

/** Where both may hold. */
export function both(one: Gates | undefined, other: Gates | undefined): Gates | undefined {
  if (!one || !other) return one ?? other;
  const isOneByte = one.byteAt < 0 || other.byteAt < 0 || one.byteAt === other.byteAt;
  const second = isOneByte ? other.table : withoutByte(other.table);
  return {
    table: one.table.map((value, index) => value & (second[index] ?? 1)),
    pc: one.pc >= 0 ? one.pc : other.pc,
    byteAt: one.byteAt >= 0 ? one.byteAt : other.byteAt,
    isAlways: one.isAlways && other.isAlways,
  };
}

/** Where one of them may hold. */
export function either(one: Gates | undefined, other: Gates | undefined): Gates | undefined {
  if (!one || !other) return undefined;
  const isOneByte = one.byteAt === other.byteAt;
  const table = one.table.map((value, index) => value | (other.table[index] ?? 1));
  const gates = {
    table: isOneByte ? table : withoutByte(table),
    pc: one.pc === other.pc ? one.pc : -1,
    byteAt: isOneByte ? one.byteAt : -1,
    isAlways: one.isAlways && other.isAlways,
  };
  return isNarrow(gates) ? gates : undefined;
}

function withoutByte(table: Uint8Array): Uint8Array {
  return table.slice().fill(1, gateAt.byte, gateAt.byte + values);
}

/** What of a board decides about gates. */
interface GatedBoard {
  /** By constant address, whether plain memory answers there whatever is switched in. */
  isPlainByte(address: number): boolean;
  readonly cyclesPerLine: number;
}

/**
 * The values of registers, of one byte and of the cycle in the line for which a condition can hold at all; undefined where nothing is
 * known. `wasFalse`: it did not hold when the run began, and an access to anything but memory ends a run. So what only that can change
 * is as it was.
 */
export function gatesOf(
  whole: Expression,
  vocabulary: Vocabulary,
  board: GatedBoard,
  wasFalse: boolean,
): Gates | undefined {
  if (partsIn(whole) > mostParts) return undefined;
  const all = disjuncts(whole);
  const terms = all.filter((term) => !wasFalse || !isSteady(term));
  const [first, ...others] = terms.map((term) => gatesOfTerm(term, vocabulary, board));
  if (terms.length === 0) return never();
  const gates = others.reduce(either, first);
  return gates && { ...gates, isAlways: terms.length === all.length };
}

/** Only what a run does not change: registers of chips, by number. */
function isSteady(expression: Expression): boolean {
  switch (expression.type) {
    case 'number':
      return true;
    case 'row':
      return expression.index.type === 'number' && !memoryRows.includes(expression.name.toLowerCase());
    case 'unary':
      return isSteady(expression.operand);
    case 'binary':
      return isSteady(expression.left) && isSteady(expression.right);
    default:
      return false;
  }
}

function gatesOfTerm(term: Expression, vocabulary: Vocabulary, board: GatedBoard): Gates | undefined {
  const gates = { ...openGates(), pc: pcOf(term, vocabulary) };
  for (const [name, at] of Object.entries(places)) {
    const isIt = (part: Expression) => isName(part, name);
    if (mentions(term, isIt)) fill(gates.table.subarray(at, at + values), term, isIt);
  }
  // The first cycle of a line is number 1.
  const beyond = gateAt.cycle + board.cyclesPerLine + 1;
  gates.table.copyWithin(beyond, gateAt.cycle + 1, gateAt.cycle + board.cyclesPerLine + 1);
  const best = bytesIn(term, vocabulary)
    .filter((address) => address >= firstPlainByte && board.isPlainByte(address))
    .slice(0, mostBytes)
    .map((address) => {
      const byte = new Uint8Array(values).fill(1);
      fill(byte, term, (part) => byteOf(part, vocabulary) === address);
      return { address, byte, passing: byte.filter((value) => value !== 0).length };
    })
    .sort((one, other) => one.passing - other.passing)[0];
  if (!best || best.passing === values) return isNarrow(gates) ? gates : undefined;
  gates.table.set(best.byte, gateAt.byte);
  return { ...gates, byteAt: best.address };
}

/** 0 for each value of a part with which the condition cannot hold, whatever else is the case. */
function fill(gate: Uint8Array, whole: Expression, isPart: (expression: Expression) => boolean): void {
  for (let value = 0; value < gate.length; value += 1) {
    if (valueWith(whole, isPart, value) === 0) gate[value] = 0;
  }
}

/** Undefined where the value of the part does not decide it. */
function valueWith(whole: Expression, isPart: (expression: Expression) => boolean, value: number): number | undefined {
  const of = (expression: Expression): number | undefined => {
    if (isPart(expression)) return value;
    if (expression.type === 'number') return Number(expression.value);
    if (expression.type === 'unary') {
      const operand = of(expression.operand);
      return operand === undefined ? undefined : applyUnary(expression.operator, operand);
    }
    if (expression.type !== 'binary') return undefined;
    const { operator } = expression;
    const [left, right] = [of(expression.left), of(expression.right)];
    if (left !== undefined && right !== undefined) return applyBinary(operator, left, right);
    const known = left ?? right;
    if (operator === '&&' && known === 0) return 0;
    return operator === '||' && known !== undefined && known !== 0 ? 1 : undefined;
  };
  return of(whole);
}

/** The address that the program counter has to have, or -1. */
function pcOf(term: Expression, vocabulary: Vocabulary): number {
  if (term.type !== 'binary') return -1;
  if (term.operator === '&&') {
    const left = pcOf(term.left, vocabulary);
    return left >= 0 ? left : pcOf(term.right, vocabulary);
  }
  if (term.operator !== '==') return -1;
  const [left, right] = [constantOf(term.left, vocabulary), constantOf(term.right, vocabulary)];
  if (isName(term.left, 'pc')) return right ?? -1;
  return isName(term.right, 'pc') ? (left ?? -1) : -1;
}

function byteOf(expression: Expression, vocabulary: Vocabulary): number | undefined {
  if (expression.type !== 'memory' || expression.bytes !== 1) return undefined;
  return constantOf(expression.address, vocabulary);
}

function bytesIn(whole: Expression, vocabulary: Vocabulary): readonly number[] {
  const found = new Set<number>();
  mentions(whole, (part) => {
    const address = byteOf(part, vocabulary);
    if (address !== undefined) found.add(address);
    return false;
  });
  return [...found];
}

/** A number, or a symbol, which is one. */
export function constantOf(expression: Expression, vocabulary: Vocabulary): number | undefined {
  if (expression.type === 'number') return Number(expression.value);
  const isSymbol = expression.type === 'name' && !vocabulary.names.includes(expression.name.toLowerCase());
  return isSymbol ? vocabulary.value(expression.name)?.() : undefined;
}

function isName(expression: Expression, name: string): boolean {
  return expression.type === 'name' && expression.name.toLowerCase() === name;
}

function disjuncts(expression: Expression): readonly Expression[] {
  if (expression.type !== 'binary' || expression.operator !== '||') return [expression];
  return [...disjuncts(expression.left), ...disjuncts(expression.right)];
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.type) {
    case 'unary':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'row':
      return [expression.index];
    case 'memory':
    case 'pointed':
      return [expression.address];
    default:
      return [];
  }
}

function mentions(whole: Expression, isMeant: (part: Expression) => boolean): boolean {
  return isMeant(whole) || partsOf(whole).some((part) => mentions(part, isMeant));
}

function partsIn(whole: Expression): number {
  return partsOf(whole).reduce((sum, part) => sum + partsIn(part), 1);
}
