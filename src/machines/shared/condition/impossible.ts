import type { MachineError } from '../../../machine/errors.ts';
import { type BinaryOperator, comparisons, type Expression, type MemoryWidth } from './parse-condition.ts';
import { conditionError } from './tokens.ts';

/** What is known of names before anything is read. */
export interface KnownNames {
  /** Of a symbol: its address, which never changes. */
  constant?(name: string): bigint | undefined;
  /** How wide a register is. */
  bits?(name: string): number | undefined;
}

interface Range {
  readonly least: bigint;
  readonly most: bigint;
}

const widthNames: Readonly<Record<MemoryWidth, string>> = {
  1: 'one byte',
  2: 'two bytes',
  4: 'four bytes',
  8: 'eight',
};
const wider: Readonly<Record<MemoryWidth, string>> = { 1: 'dword', 2: 'dword', 4: 'qword', 8: 'qword' };
const help = 'byte[…] or […] is one byte, word[…] two, dword[…] four, qword[…] eight.';

/** Refuses a comparison that has the same outcome whatever the machine does: it was meant otherwise. */
export function refuseImpossible(source: string, expression: Expression, names: KnownNames): void {
  for (const part of partsOf(expression)) refuseImpossible(source, part, names);
  if (expression.type !== 'binary') return;
  const { operator, left, right, at } = expression;
  if (!comparisons.has(operator)) return;
  const [a, b] = [rangeOf(left, names), rangeOf(right, names)];
  if (!a || !b) return;
  const outcome = outcomeOf(operator, a, b);
  if (outcome === undefined) return;
  const problem =
    fixedProblem(source, at, outcome, [left, right], names) ??
    narrowProblem(source, at, outcome, { operator, left, right }, names);
  if (problem) throw problem;
}

function partsOf(expression: Expression): readonly Expression[] {
  if (expression.type === 'binary') return [expression.left, expression.right];
  if (expression.type === 'unary') return [expression.operand];
  if (expression.type === 'memory' || expression.type === 'pointed') return [expression.address];
  return expression.type === 'row' ? [expression.index] : [];
}

/** A symbol compared with a number: its address was taken for what lies there. */
function fixedProblem(
  source: string,
  at: number,
  outcome: boolean,
  sides: readonly Expression[],
  names: KnownNames,
): MachineError | undefined {
  for (const side of sides) {
    const value = side.type === 'name' ? names.constant?.(side.name) : undefined;
    if (side.type !== 'name' || value === undefined) continue;
    const always = outcome ? 'always' : 'never';
    return conditionError(
      source,
      at,
      `${side.name} is an address, 0x${value.toString(16)}, so this ${always} holds`,
      `For what lies there write [${side.name}] or dword[${side.name}]: ${help}`,
    );
  }
  return undefined;
}

/** Memory or a register compared with a number that it is too narrow for. */
function narrowProblem(
  source: string,
  at: number,
  outcome: boolean,
  { operator, left, right }: { operator: BinaryOperator; left: Expression; right: Expression },
  names: KnownNames,
): MachineError | undefined {
  const side = [left, right].find(({ type }) => type === 'memory' || type === 'name');
  const range = side && rangeOf(side, names);
  if (!side || !range) return undefined;
  const always = outcome ? 'always' : 'never';
  if (side.type === 'name') {
    const problem = `${side.name} is at most 0x${range.most.toString(16)}, so this ${always} holds`;
    return conditionError(source, at, problem, 'Use a wider register, or another number.');
  }
  if (side.type !== 'memory') return undefined;
  const problem = `${widthNames[side.bytes]} of memory ${operator} that number ${always} holds: at most ${range.most}`;
  return conditionError(source, at, problem, `Write ${wider[side.bytes]}[…] for more: ${help}`);
}

/** Undefined where it depends. */
function outcomeOf(operator: BinaryOperator, a: Range, b: Range): boolean | undefined {
  switch (operator) {
    case '==':
    case '!=': {
      const apart = a.most < b.least || b.most < a.least;
      const same = a.least === a.most && b.least === b.most && a.least === b.least;
      return apart || same ? same === (operator === '==') : undefined;
    }
    case '<':
      return a.most < b.least ? true : a.least >= b.most ? false : undefined;
    case '<=':
      return a.most <= b.least ? true : a.least > b.most ? false : undefined;
    case '>':
      return outcomeOf('<', b, a);
    case '>=':
      return outcomeOf('<=', b, a);
    default:
      return undefined;
  }
}

function rangeOf(expression: Expression, names: KnownNames): Range | undefined {
  if (expression.type === 'number') {
    const value = BigInt.asUintN(64, expression.value);
    return { least: value, most: value };
  }
  if (expression.type === 'unary' && expression.operator === '-' && expression.operand.type === 'number') {
    const value = BigInt.asUintN(64, -expression.operand.value);
    return { least: value, most: value };
  }
  if (expression.type === 'memory') return widthRange(8 * expression.bytes);
  if (expression.type !== 'name') return undefined;
  const constant = names.constant?.(expression.name);
  if (constant !== undefined) return { least: constant, most: constant };
  const bits = names.bits?.(expression.name);
  return bits === undefined ? undefined : widthRange(bits);
}

function widthRange(bits: number): Range {
  return { least: 0n, most: (1n << BigInt(bits)) - 1n };
}
