import { type KnownNames, refuseImpossible } from './impossible.ts';
import {
  type BinaryOperator,
  type Expression,
  type MemoryWidth,
  parseCondition,
  type UnaryOperator,
} from './parse-condition.ts';
import { conditionError, unknownName } from './tokens.ts';

/** Yields a 64-bit number each time it is asked; asking may take a message to the machine. */
export type WideReading = () => bigint | Promise<bigint>;

/** What names mean on a machine with 64-bit registers at the far end of a wire. */
export interface WideVocabulary extends KnownNames {
  value(name: string): WideReading | undefined;
  peek(address: bigint, bytes: MemoryWidth): Promise<bigint>;
  /** As wide as addresses are at this moment. */
  pointer?(address: bigint): Promise<bigint>;
  readonly names: readonly string[];
}

/** Both sides are wanted; `||` and `&&` are not among them because they may leave the right one out. */
const strict: Readonly<Record<Exclude<BinaryOperator, '||' | '&&'>, (a: bigint, b: bigint) => bigint | boolean>> = {
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '&': (a, b) => a & b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<<': (a, b) => a << (b & 63n),
  '>>': (a, b) => a >> (b & 63n),
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
};

const unary: Readonly<Record<UnaryOperator, (a: bigint) => bigint | boolean>> = {
  '!': (a) => a === 0n,
  '-': (a) => -a,
  '~': (a) => ~a,
};

/** As `compileCondition`, with unsigned 64-bit arithmetic. */
export function compileWideCondition(source: string, vocabulary: WideVocabulary): WideReading {
  const compile = (expression: Expression): WideReading => {
    switch (expression.type) {
      case 'number':
        return () => expression.value;
      case 'name': {
        const reading = vocabulary.value(expression.name);
        if (reading) return reading;
        throw unknownName(source, expression, vocabulary.names);
      }
      case 'row':
        throw unknownName(source, expression, vocabulary.names);
      case 'memory': {
        const { bytes } = expression;
        const address = compile(expression.address);
        return async () => vocabulary.peek(await address(), bytes);
      }
      case 'pointed': {
        const { pointer } = vocabulary;
        if (!pointer) throw conditionError(source, expression.at, '* is not known here');
        const address = compile(expression.address);
        return async () => pointer.call(vocabulary, await address());
      }
      case 'unary': {
        const operand = compile(expression.operand);
        const apply = unary[expression.operator];
        return async () => unsigned(apply(await operand()));
      }
      case 'binary': {
        const { operator } = expression;
        const [left, right] = [compile(expression.left), compile(expression.right)];
        if (operator === '||') return async () => unsigned((await left()) !== 0n || (await right()) !== 0n);
        if (operator === '&&') return async () => unsigned((await left()) !== 0n && (await right()) !== 0n);
        const apply = strict[operator];
        return async () => unsigned(apply(await left(), await right()));
      }
    }
  };
  const parsed = parseCondition(source);
  const reading = compile(parsed);
  refuseImpossible(source, parsed, vocabulary);
  return reading;
}

function unsigned(value: bigint | boolean): bigint {
  return BigInt.asUintN(64, BigInt(value));
}
