import { conditionError, type Token, tokenise } from './tokens.ts';

/** Yields a number each time it is asked. */
export type Reading = () => number;

/** What names mean on a machine. */
export interface Vocabulary {
  /** A register, a counter, the access in hand, or a symbol's value. */
  value(name: string): Reading | undefined;
  /** A row of values: `sprite_x[0]`. */
  row?(name: string): ((index: number) => number) | undefined;
  /** Memory as a debugger reads it. */
  peek(address: number, bytes: 1 | 2 | 4): number;
  /** For the error when a name is unknown. */
  readonly names: readonly string[];
}

const widths: Readonly<Record<string, 1 | 2 | 4>> = { byte: 1, word: 2, dword: 4 };

type Binary = (a: number, b: number) => number;

/** From the loosest binding to the tightest. */
const levels: readonly Readonly<Record<string, Binary>>[] = [
  { '|': (a, b) => a | b },
  { '^': (a, b) => a ^ b },
  { '&': (a, b) => a & b },
  { '==': (a, b) => Number(a === b), '!=': (a, b) => Number(a !== b) },
  {
    '<': (a, b) => Number(a < b),
    '<=': (a, b) => Number(a <= b),
    '>': (a, b) => Number(a > b),
    '>=': (a, b) => Number(a >= b),
  },
  { '<<': (a, b) => a << b, '>>': (a, b) => a >> b },
  { '+': (a, b) => a + b, '-': (a, b) => a - b },
  { '*': (a, b) => a * b },
];

const unary: Readonly<Record<string, (a: number) => number>> = {
  '!': (a) => Number(a === 0),
  '-': (a) => -a,
  '~': (a) => ~a,
};

/** Compiles a condition once into something that is quick to ask; 0 is false. Throws with the column of a mistake. */
export function compileCondition(source: string, vocabulary: Vocabulary): Reading {
  return new Parser(source, vocabulary).parse();
}

class Parser {
  readonly #source: string;
  readonly #vocabulary: Vocabulary;
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(source: string, vocabulary: Vocabulary) {
    this.#source = source;
    this.#vocabulary = vocabulary;
    this.#tokens = tokenise(source);
  }

  parse(): Reading {
    const reading = this.#or();
    if (this.#current.type !== 'end') throw this.#error('this is more than one condition; join them with && or ||');
    return reading;
  }

  get #current(): Token {
    return this.#tokens[this.#position] ?? { type: 'end', at: this.#source.length };
  }

  #takes(text: string): boolean {
    const token = this.#current;
    if (token.type !== 'operator' || token.text !== text) return false;
    this.#position++;
    return true;
  }

  #or(): Reading {
    let left = this.#and();
    while (this.#takes('||')) {
      const [a, b] = [left, this.#and()];
      left = () => Number(a() !== 0 || b() !== 0);
    }
    return left;
  }

  #and(): Reading {
    let left = this.#level(0);
    while (this.#takes('&&')) {
      const [a, b] = [left, this.#level(0)];
      left = () => Number(a() !== 0 && b() !== 0);
    }
    return left;
  }

  #level(depth: number): Reading {
    const operators = levels[depth];
    if (operators === undefined) return this.#unary();
    let left = this.#level(depth + 1);
    for (;;) {
      const token = this.#current;
      const apply = token.type === 'operator' ? operators[token.text] : undefined;
      if (!apply) return left;
      this.#position++;
      const [a, b] = [left, this.#level(depth + 1)];
      left = () => apply(a(), b());
    }
  }

  #unary(): Reading {
    const token = this.#current;
    const apply = token.type === 'operator' ? unary[token.text] : undefined;
    if (!apply) return this.#primary();
    this.#position++;
    const operand = this.#unary();
    return () => apply(operand());
  }

  #primary(): Reading {
    const token = this.#current;
    if (token.type === 'number') {
      this.#position++;
      return () => token.value;
    }
    if (token.type === 'name') {
      this.#position++;
      return this.#named(token.name, token.at);
    }
    if (this.#takes('(')) {
      const inner = this.#or();
      this.#expect(')');
      return inner;
    }
    if (this.#takes('[')) return this.#memory(1);
    throw this.#error(token.type === 'end' ? 'something is missing at the end' : 'a value is missing here');
  }

  #named(name: string, at: number): Reading {
    if (!this.#takes('[')) {
      const reading = this.#vocabulary.value(name);
      if (reading) return reading;
      throw this.#unknown(name, at);
    }
    const width = widths[name.toLowerCase()];
    if (width !== undefined) return this.#memory(width);
    const row = this.#vocabulary.row?.(name);
    if (!row) throw this.#unknown(name, at);
    const index = this.#or();
    this.#expect(']');
    return () => row(index());
  }

  /** Behind the opening bracket. */
  #memory(bytes: 1 | 2 | 4): Reading {
    const address = this.#or();
    this.#expect(']');
    return () => this.#vocabulary.peek(address(), bytes);
  }

  #expect(text: string): void {
    if (!this.#takes(text)) throw this.#error(`${text} is missing here`);
  }

  #error(problem: string) {
    return conditionError(this.#source, this.#current.at, problem);
  }

  #unknown(name: string, at: number) {
    const names = this.#vocabulary.names.join(', ');
    return conditionError(
      this.#source,
      at,
      `no name ${name} on this machine`,
      `Names: ${names}; and symbols, if loaded.`,
    );
  }
}
