import { type KnownNames, refuseImpossible } from './impossible.ts';
import {
  type BinaryOperator,
  type Expression,
  type MemoryWidth,
  parseCondition,
  type UnaryOperator,
} from './parse-condition.ts';
import { conditionError, unknownName } from './tokens.ts';

/** Yields a number each time it is asked. */
export type Reading = () => number;

/** What names mean on a machine whose numbers have up to 53 bits. */
export interface Vocabulary extends KnownNames {
  /** A register, a counter, the access in hand, or a symbol's value. */
  value(name: string): Reading | undefined;
  /** A row of values: `sprite_x[0]`. */
  row?(name: string): ((index: number) => number) | undefined;
  /** Memory as a debugger reads it. */
  peek(address: number, bytes: MemoryWidth): number;
  /** For the error when a name is unknown. */
  readonly names: readonly string[];
}

type Apply = (a: Reading, b: Reading) => Reading;

const binary: Readonly<Record<BinaryOperator, Apply>> = {
  '||': (a, b) => () => Number(a() !== 0 || b() !== 0),
  '&&': (a, b) => () => Number(a() !== 0 && b() !== 0),
  '|': (a, b) => () => a() | b(),
  '^': (a, b) => () => a() ^ b(),
  '&': (a, b) => () => a() & b(),
  '==': (a, b) => () => Number(a() === b()),
  '!=': (a, b) => () => Number(a() !== b()),
  '<': (a, b) => () => Number(a() < b()),
  '<=': (a, b) => () => Number(a() <= b()),
  '>': (a, b) => () => Number(a() > b()),
  '>=': (a, b) => () => Number(a() >= b()),
  '<<': (a, b) => () => a() << b(),
  '>>': (a, b) => () => a() >> b(),
  '+': (a, b) => () => a() + b(),
  '-': (a, b) => () => a() - b(),
  '*': (a, b) => () => a() * b(),
};

const unary: Readonly<Record<UnaryOperator, (a: Reading) => Reading>> = {
  '!': (a) => () => Number(a() === 0),
  '-': (a) => () => -a(),
  '~': (a) => () => ~a(),
};

/** What an operator makes of two values. */
export function applyBinary(operator: BinaryOperator, left: number, right: number): number {
  return binary[operator](
    () => left,
    () => right,
  )();
}

export function applyUnary(operator: UnaryOperator, operand: number): number {
  return unary[operator](() => operand)();
}

/** Compiles a condition once into something that is quick to ask; 0 is false. Throws with the column of a mistake. */
export function compileCondition(source: string, vocabulary: Vocabulary): Reading {
  const parsed = parseCondition(source);
  const reading = compileExpression(source, parsed, vocabulary);
  refuseImpossible(source, parsed, vocabulary);
  return reading;
}

/** A part of the condition that `source` is. */
export function compileExpression(source: string, whole: Expression, vocabulary: Vocabulary): Reading {
  const compile = (expression: Expression): Reading => {
    switch (expression.type) {
      case 'number': {
        const value = Number(expression.value);
        return () => value;
      }
      case 'name': {
        const reading = vocabulary.value(expression.name);
        if (reading) return reading;
        throw unknownName(source, expression, vocabulary.names);
      }
      case 'row': {
        const row = vocabulary.row?.(expression.name);
        if (!row) throw unknownName(source, expression, vocabulary.names);
        const index = compile(expression.index);
        return () => row(index());
      }
      case 'memory': {
        const { bytes } = expression;
        const address = compile(expression.address);
        return () => vocabulary.peek(address(), bytes);
      }
      case 'pointed':
        throw conditionError(source, expression.at, '* is taken only where addresses have 32 bits or more');
      case 'unary':
        return unary[expression.operator](compile(expression.operand));
      case 'binary':
        return binary[expression.operator](compile(expression.left), compile(expression.right));
    }
  };
  return compile(whole);
}
