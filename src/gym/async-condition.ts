import { type BinaryOperator, type Expression, parseCondition } from '../machines/shared/condition/parse-condition.ts';
import { conditionError } from '../machines/shared/condition/tokens.ts';

export type AsyncReading = () => Promise<number>;

/** What names mean on a machine that has to be asked over a wire. */
export interface AsyncVocabulary {
  value(name: string): Promise<bigint | undefined>;
  peek(address: bigint, bytes: number): Promise<Uint8Array>;
}

const truth = (holds: boolean) => (holds ? 1n : 0n);

const operators: Readonly<Record<BinaryOperator, (a: bigint, b: bigint) => bigint>> = {
  '||': (a, b) => truth(a !== 0n || b !== 0n),
  '&&': (a, b) => truth(a !== 0n && b !== 0n),
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '&': (a, b) => a & b,
  '==': (a, b) => truth(a === b),
  '!=': (a, b) => truth(a !== b),
  '<': (a, b) => truth(a < b),
  '<=': (a, b) => truth(a <= b),
  '>': (a, b) => truth(a > b),
  '>=': (a, b) => truth(a >= b),
  '<<': (a, b) => BigInt.asUintN(64, a << (b & 63n)),
  '>>': (a, b) => a >> (b & 63n),
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
};

/** The condition language on a machine whose registers and memory are fetched when they are asked for. */
export function compileAsync(source: string, vocabulary: AsyncVocabulary): AsyncReading {
  const tree = parseCondition(source);
  const ask = async (expression: Expression): Promise<bigint> => {
    switch (expression.type) {
      case 'number':
        return expression.value;
      case 'name': {
        const value = await vocabulary.value(expression.name);
        if (value === undefined)
          throw conditionError(source, expression.at, `no name ${expression.name} on this machine`);
        return value;
      }
      case 'memory': {
        const bytes = await vocabulary.peek(await ask(expression.address), expression.bytes);
        return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
      }
      case 'unary': {
        const value = await ask(expression.operand);
        if (expression.operator === '!') return truth(value === 0n);
        return expression.operator === '-' ? -value : BigInt.asUintN(64, ~value);
      }
      case 'binary':
        return operators[expression.operator](await ask(expression.left), await ask(expression.right));
      default:
        throw conditionError(source, 0, 'this machine has no rows and no segments');
    }
  };
  return async () => Number(await ask(tree));
}
