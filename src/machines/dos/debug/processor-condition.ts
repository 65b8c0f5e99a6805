import { evenParity } from '../../../chips/x86/flags.ts';
import { fields, registerPlaces, segmentNames } from '../../../chips/x86/registers.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import { compileCondition, type Reading, type Vocabulary } from '../../shared/condition/condition.ts';
import { type Expression, parseCondition } from '../../shared/condition/parse-condition.ts';

const result = `R[${fields.result}]`;
const auxiliary = `R[${fields.auxiliary}]`;
const eflags = `R[${fields.eflags}]`;
/** As the processor keeps them while it runs: see flags.ts in the chip. */
const flagTexts: Readonly<Record<string, string>> = {
  cf: `R[${fields.carry}]`,
  pf: `P[(${result} ^ (${auxiliary} >>> 8)) & 255]`,
  af: `((${auxiliary} >> 4) & 1)`,
  zf: `(${result} === 0 ? 1 : 0)`,
  sf: `((${result} ^ ${auxiliary}) >>> 31)`,
  of: `(R[${fields.overflow}] >>> 31)`,
  tf: `((${eflags} >> 8) & 1)`,
  if: `((${eflags} >> 9) & 1)`,
  df: `((${eflags} >> 10) & 1)`,
};

/**
 * As `compileCondition`, into one function that reads the processor's state where it lies: it is asked before each
 * instruction. What lies elsewhere is read as the vocabulary says.
 */
export function compileForProcessor(source: string, vocabulary: Vocabulary, cpu: X86): Reading {
  // Whatever is wrong with the condition is found there, with its column.
  compileCondition(source, vocabulary);
  const writer = new ConditionWriter(vocabulary);
  const text = writer.text(parseCondition(source));
  const { words, halves, bytes } = cpu.views;
  const surroundings = {
    R: words,
    H: halves,
    B: bytes,
    P: evenParity,
    V: writer.readings,
    W: writer.rows,
    M: vocabulary,
  };
  const make = new Function(...Object.keys(surroundings), `return () => Number(${text});`);
  return make(...Object.values(surroundings)) as Reading;
}

class ConditionWriter {
  readonly readings: Reading[] = [];
  readonly rows: ((index: number) => number)[] = [];
  readonly #vocabulary: Vocabulary;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  text(expression: Expression): string {
    switch (expression.type) {
      case 'number':
        return String(Number(expression.value));
      case 'name':
        return this.#name(expression.name);
      case 'row': {
        const row = this.#vocabulary.row?.(expression.name);
        return `W[${this.rows.push(row ?? (() => 0)) - 1}](${this.text(expression.index)})`;
      }
      case 'memory':
        return `M.peek(${this.text(expression.address)}, ${expression.bytes})`;
      case 'pointed':
        throw new Error('compileCondition has refused it');
      case 'unary':
        return unary(expression.operator, this.text(expression.operand));
      case 'binary':
        return binary(expression.operator, this.text(expression.left), this.text(expression.right));
    }
  }

  #name(name: string): string {
    const lower = name.toLowerCase();
    const own = flagTexts[lower] ?? registerText(lower);
    if (own !== undefined) return own;
    const reading = this.#vocabulary.value(name) ?? (() => 0);
    return `V[${this.readings.push(reading) - 1}]()`;
  }
}

/** Registers whose words always hold what they are. */
function registerText(name: string): string | undefined {
  const place = registerPlaces.get(name);
  if (!place || place.word === fields.eflags) return undefined;
  const { word, bits, shift } = place;
  if ((segmentNames as readonly string[]).includes(name)) return `R[${word}]`;
  if (bits === 8) return `B[${word * 4 + shift / 8}]`;
  return bits === 16 ? `H[${word * 2}]` : `(R[${word}] >>> 0)`;
}

function unary(operator: '!' | '-' | '~', operand: string): string {
  return operator === '!' ? `Number(${operand} === 0)` : `(${operator}(${operand}))`;
}

function binary(operator: string, left: string, right: string): string {
  switch (operator) {
    case '||':
    case '&&':
      return `Number((${left}) !== 0 ${operator} (${right}) !== 0)`;
    case '==':
    case '!=':
      return `Number((${left}) ${operator}= (${right}))`;
    case '<':
    case '<=':
    case '>':
    case '>=':
      return `Number((${left}) ${operator} (${right}))`;
    default:
      return `((${left}) ${operator} (${right}))`;
  }
}
