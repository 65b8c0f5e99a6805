import type { Reading, Vocabulary } from './condition.ts';
import type { Expression } from './parse-condition.ts';

/** How a machine's own names, and memory, stand in the text; undefined where the vocabulary has to be asked. */
export interface OwnTexts {
  name(lower: string): string | undefined;
  /** At an address that is known. */
  memory?(address: number, bytes: number): string | undefined;
}

/**
 * Writes a condition as the text of a function, for machines that ask it before each instruction. In it `V` are readings and `W` rows of
 * the vocabulary `M`.
 */
export class ConditionWriter {
  readonly readings: Reading[] = [];
  readonly rows: ((index: number) => number)[] = [];
  /** Whether the text looks at memory, or at a row. */
  readsMemory = false;
  readonly #vocabulary: Vocabulary;
  readonly #own: OwnTexts;

  constructor(vocabulary: Vocabulary, own: OwnTexts) {
    this.#vocabulary = vocabulary;
    this.#own = own;
  }

  text(expression: Expression): string {
    switch (expression.type) {
      case 'number':
        return String(Number(expression.value));
      case 'name':
        return this.#name(expression.name);
      case 'row': {
        this.readsMemory = true;
        const row = this.#vocabulary.row?.(expression.name);
        return `W[${this.rows.push(row ?? (() => 0)) - 1}](${this.text(expression.index)})`;
      }
      case 'memory':
        return this.#memory(expression.address, expression.bytes);
      case 'pointed':
        throw new Error('compileCondition has refused it');
      case 'unary':
        return unary(expression.operator, this.text(expression.operand));
      case 'binary':
        return binary(expression.operator, this.text(expression.left), this.text(expression.right));
    }
  }

  #memory(address: Expression, bytes: number): string {
    this.readsMemory = true;
    const known = address.type === 'number' ? this.#own.memory?.(Number(address.value), bytes) : undefined;
    return known ?? `M.peek(${this.text(address)}, ${bytes})`;
  }

  #name(name: string): string {
    const lower = name.toLowerCase();
    const own = this.#own.name(lower);
    if (own !== undefined) return own;
    const reading = this.#vocabulary.value(name) ?? (() => 0);
    return `V[${this.readings.push(reading) - 1}]()`;
  }
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
