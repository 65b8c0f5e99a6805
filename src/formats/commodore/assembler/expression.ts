import { ownValue } from '../../own-value.ts';
import { SyntaxProblem, type Token } from './lexer.ts';

/** What an expression can ask about while it is worked out. */
export interface Environment {
  readonly pc: number;
  /** Undefined while it is not known; the environment reports what stays unknown. */
  symbol(name: string, column: number): number | undefined;
  isDefined(name: string): boolean;
  /** The nth label of that name before (negative) or after this place. */
  anonymous(name: string, distance: number, column: number): number | undefined;
  character(text: string, column: number): number | undefined;
  fail(column: number, message: string): undefined;
}

/** A parsed expression; undefined while something in it is not known. */
export interface Expression {
  readonly column: number;
  /** A lone number with leading zeros, which asks for an absolute address. */
  readonly wide: boolean;
  evaluate(environment: Environment): number | undefined;
}

type Evaluate = Expression['evaluate'];
type Binary = (a: number, b: number) => number;

const integer = (a: number, b: number, result: number) =>
  Number.isInteger(a) && Number.isInteger(b) ? Math.trunc(result) : result;
const truth = (value: boolean) => (value ? 1 : 0);

const levels: readonly Readonly<Record<string, Binary>>[] = [
  { '||': (a, b) => truth(a !== 0 || b !== 0), '.or': (a, b) => truth(a !== 0 || b !== 0) },
  { '&&': (a, b) => truth(a !== 0 && b !== 0), '.and': (a, b) => truth(a !== 0 && b !== 0) },
  { '|': (a, b) => a | b, '.bitor': (a, b) => a | b },
  { '^': (a, b) => a ^ b, xor: (a, b) => a ^ b, '.bitxor': (a, b) => a ^ b },
  { '&': (a, b) => a & b, '.bitand': (a, b) => a & b },
  {
    '==': (a, b) => truth(a === b),
    '=': (a, b) => truth(a === b),
    '!=': (a, b) => truth(a !== b),
    '<>': (a, b) => truth(a !== b),
  },
  {
    '<': (a, b) => truth(a < b),
    '>': (a, b) => truth(a > b),
    '<=': (a, b) => truth(a <= b),
    '>=': (a, b) => truth(a >= b),
  },
  { '<<': (a, b) => a << b, '>>': (a, b) => a >> b, '.shl': (a, b) => a << b, '.shr': (a, b) => a >> b },
  { '+': (a, b) => a + b, '-': (a, b) => a - b },
  {
    '*': (a, b) => a * b,
    '/': (a, b) => integer(a, b, a / b),
    div: (a, b) => Math.trunc(a / b),
    '%': (a, b) => a % b,
    mod: (a, b) => a % b,
    '.mod': (a, b) => a % b,
  },
];
const shiftLevel = 7;

const functions: Readonly<Record<string, (...values: number[]) => number>> = {
  '.lobyte': (x = 0) => x & 255,
  '.hibyte': (x = 0) => (x >> 8) & 255,
  '.bankbyte': (x = 0) => (x >> 16) & 255,
  '.loword': (x = 0) => x & 0xffff,
  '.min': Math.min,
  '.max': Math.max,
  lo: (x = 0) => x & 255,
  hi: (x = 0) => (x >> 8) & 255,
  min: Math.min,
  max: Math.max,
  abs: Math.abs,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  sqrt: Math.sqrt,
  pow: Math.pow,
  int: Math.trunc,
  floor: Math.floor,
  ceil: Math.ceil,
  round: Math.round,
  toradians: (x = 0) => (x * Math.PI) / 180,
};

/** Reads expressions from a list of tokens, with C's precedence. */
export class ExpressionParser {
  readonly tokens: readonly Token[];
  position: number;
  readonly #endColumn: number;

  constructor(tokens: readonly Token[], position = 0) {
    this.tokens = tokens;
    this.position = position;
    const last = tokens.at(-1);
    this.#endColumn = last ? last.column + last.text.length : 1;
  }

  get next(): Token | undefined {
    return this.tokens[this.position];
  }

  get column(): number {
    return this.next?.column ?? this.#endColumn;
  }

  /** Takes the operator when it is next. */
  accept(text: string): boolean {
    if (this.next?.kind !== 'operator' || this.next.text !== text) return false;
    this.position++;
    return true;
  }

  expect(text: string): void {
    if (!this.accept(text)) throw new SyntaxProblem(this.column, `'${text}' expected${this.#found()}`);
  }

  end(): void {
    if (this.next) throw new SyntaxProblem(this.column, `nothing more was expected here${this.#found()}`);
  }

  parse(): Expression {
    const { column, next, position } = this;
    const condition = this.#binary(0);
    const wide = next?.kind === 'number' && next.wide && this.position === position + 1;
    if (!this.accept('?')) return { column, wide, evaluate: condition };
    const yes = this.parse();
    this.expect(':');
    const no = this.parse();
    const evaluate: Evaluate = (environment) => {
      const value = condition(environment);
      return value === undefined ? undefined : (value ? yes : no).evaluate(environment);
    };
    return { column, wide: false, evaluate };
  }

  #binary(level: number): Evaluate {
    const operators = levels[level];
    if (!operators) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const token = this.next;
      const operate = token && token.kind !== 'string' ? ownValue(operators, token.text.toLowerCase()) : undefined;
      if (!token || !operate) return left;
      this.position++;
      left = combine(left, this.#binary(level + 1), operate, token);
    }
  }

  #unary(): Evaluate {
    const token = this.next;
    if (token?.kind === 'operator') {
      const reference = this.#anonymous(token);
      if (reference) return reference;
      this.position++;
      if (token.text === '-') return map(this.#unary(), (x) => -x);
      if (token.text === '+') return this.#unary();
      if (token.text === '~') return map(this.#unary(), (x) => ~x);
      if (token.text === '!') return map(this.#unary(), (x) => truth(x === 0));
      // Binds weaker than + and -, as in ACME and 64tass: <label+1 is the low byte of label+1.
      if (token.text === '<') return map(this.#binary(shiftLevel), (x) => x & 255);
      if (token.text === '>') return map(this.#binary(shiftLevel), (x) => (x >> 8) & 255);
      if (token.text === '^') return map(this.#binary(shiftLevel), (x) => (x >> 16) & 255);
      this.position--;
    }
    return this.#primary();
  }

  #primary(): Evaluate {
    const token = this.next;
    if (!token) throw new SyntaxProblem(this.#endColumn, 'a value is missing at the end of the line');
    this.position++;
    const { column, text, value } = token;
    if (token.kind === 'number') return () => value;
    if (token.kind === 'string') return (environment) => environment.character(text, column);
    if (token.kind === 'group') return this.#group(token);
    if (token.kind === 'name') return this.#name(token);
    if (text === '*' || text === '.') return (environment) => environment.pc;
    if (text === '::') {
      const name = this.next;
      if (name?.kind !== 'name') throw new SyntaxProblem(this.column, "a name is expected after '::'");
      this.position++;
      return (environment) => environment.symbol(`::${name.text}`, column);
    }
    if (text === '(' || text === '[') {
      const inside = this.parse();
      this.expect(text === '(' ? ')' : ']');
      return inside.evaluate;
    }
    this.position--;
    throw new SyntaxProblem(column, `a value is expected${this.#found()}`);
  }

  #group(token: Token): Evaluate {
    const parser = new ExpressionParser(token.inner ?? []);
    const inside = parser.parse();
    parser.end();
    return inside.evaluate;
  }

  #name({ text, column }: Token): Evaluate {
    const lower = text.toLowerCase();
    const opened = this.next?.text === '(' && this.next.kind === 'operator';
    if (opened && (lower === '.defined' || lower === '.def' || lower === 'defined')) {
      this.position++;
      const name = this.next?.text ?? '';
      this.position++;
      this.expect(')');
      return (environment) => truth(environment.isDefined(name));
    }
    if (lower === '.not') return map(this.#unary(), (x) => truth(x === 0));
    if (lower === '.bitnot') return map(this.#unary(), (x) => ~x);
    const call = opened ? ownValue(functions, lower) : undefined;
    if (!call) return (environment) => environment.symbol(text, column);
    this.expect('(');
    const values = [this.parse()];
    while (this.accept(',')) values.push(this.parse());
    this.expect(')');
    return (environment) => {
      const known = values.map((value) => value.evaluate(environment));
      return known.every((value) => value !== undefined) ? call(...known) : undefined;
    };
  }

  /** `-`, `++` at the end of an operand, `:+` and `:--` (ca65), `!loop-` and `!+` (KickAssembler). */
  #anonymous(token: Token): Evaluate | undefined {
    const start = this.position;
    let name = '';
    if (token.text === ':' || token.text === '!') {
      this.position++;
      name = token.text;
      if (name === '!' && this.next?.kind === 'name' && !this.next.spaced) {
        name += this.next.text;
        this.position++;
      }
    }
    const sign = this.next;
    let count = 0;
    if (sign?.kind === 'operator' && /^[-+<>]$/.test(sign.text)) {
      while (this.next?.kind === 'operator' && this.next.text === sign.text && (count === 0 || !this.next.spaced)) {
        count++;
        this.position++;
      }
    }
    const after = this.next;
    const ended = after === undefined || (after.kind === 'operator' && /^[,)\]}:]$/.test(after.text));
    if (sign === undefined || count === 0 || (name === '' && !/[-+]/.test(sign.text)) || (name !== ':' && !ended)) {
      this.position = start;
      return undefined;
    }
    const forward = sign.text === '+' || sign.text === '>';
    const key = name === '' ? sign.text : name;
    return (environment) => environment.anonymous(key, forward ? count : -count, token.column);
  }

  #found(): string {
    return this.next ? `, found '${this.next.text}'` : '';
  }
}

function map(operand: Evaluate, operate: (value: number) => number): Evaluate {
  return (environment) => {
    const value = operand(environment);
    return value === undefined ? undefined : operate(value);
  };
}

function combine(left: Evaluate, right: Evaluate, operate: Binary, { text, column }: Token): Evaluate {
  const divides = text === '/' || text === '%' || /^(div|\.?mod)$/i.test(text);
  return (environment) => {
    const a = left(environment);
    const b = right(environment);
    if (a === undefined || b === undefined) return undefined;
    return divides && b === 0 ? environment.fail(column, 'division by zero') : operate(a, b);
  };
}
