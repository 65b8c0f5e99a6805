import { ownValue } from '../../../formats/own-value.ts';
import { conditionError, type Token, tokenise } from './tokens.ts';

/** A condition as a tree. */
export type Expression =
  | { readonly type: 'number'; readonly value: bigint }
  | { readonly type: 'name'; readonly name: string; readonly at: number }
  | { readonly type: 'row'; readonly name: string; readonly at: number; readonly index: Expression }
  | { readonly type: 'memory'; readonly bytes: MemoryWidth; readonly address: Expression }
  /** What lies at an address, as wide as the machine's addresses. */
  | { readonly type: 'pointed'; readonly address: Expression; readonly at: number }
  | { readonly type: 'unary'; readonly operator: UnaryOperator; readonly operand: Expression }
  | {
      readonly type: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      /** Of the operator. */
      readonly at: number;
    };

export type MemoryWidth = 1 | 2 | 4 | 8;
export type UnaryOperator = '!' | '-' | '~';
export type BinaryOperator =
  | '||'
  | '&&'
  | '|'
  | '^'
  | '&'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '<<'
  | '>>'
  | '+'
  | '-'
  | '*';

const widths: Readonly<Record<string, MemoryWidth>> = { byte: 1, word: 2, dword: 4, qword: 8 };
const unaryOperators: readonly UnaryOperator[] = ['!', '-', '~'];
/** From the loosest binding to the tightest. */
const levels: readonly (readonly BinaryOperator[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*'],
];

const bitwise: ReadonlySet<BinaryOperator> = new Set(['&', '|', '^']);
export const comparisons: ReadonlySet<BinaryOperator> = new Set(['==', '!=', '<', '<=', '>', '>=']);

/** Twelve digits; more may not fit into a number. */
const mostDecimalBytes = 6n;

/** Throws with the column of a mistake. */
export function parseCondition(source: string): Expression {
  return new Parser(source).parse();
}

class Parser {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  #position = 0;
  /** In brackets of their own, so that there is no doubt what belongs together. */
  readonly #enclosed = new WeakSet<Expression>();

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokenise(source);
  }

  parse(): Expression {
    const expression = this.#level(0);
    if (this.#current.type !== 'end') throw this.#error('this is more than one condition; join them with && or ||');
    return expression;
  }

  get #current(): Token {
    return this.#tokens[this.#position] ?? { type: 'end', at: this.#source.length };
  }

  #takes<T extends string>(operators: readonly T[]): T | undefined {
    const token = this.#current;
    const taken = token.type === 'operator' ? operators.find((each) => each === token.text) : undefined;
    if (taken !== undefined) this.#position++;
    return taken;
  }

  #level(depth: number): Expression {
    const operators = levels[depth];
    if (operators === undefined) return this.#unary();
    let left = this.#level(depth + 1);
    for (;;) {
      const { at } = this.#current;
      const operator = this.#takes(operators);
      if (operator === undefined) return left;
      const right = this.#level(depth + 1);
      if (bitwise.has(operator)) this.#refuseMixed(operator, left, right);
      left = { type: 'binary', operator, left, right, at };
    }
  }

  /** `value & 15 == 14` compares first, as in C, and is hardly ever meant so. */
  #refuseMixed(operator: BinaryOperator, left: Expression, right: Expression): void {
    const [first, second] = [left, right].map((side) => this.#bareComparison(side));
    if ((first === undefined) === (second === undefined)) return;
    const { operator: compared = '==', at } = first ?? second ?? { at: 0 };
    throw conditionError(
      this.#source,
      at,
      `${compared} binds tighter than ${operator}, so it is compared first`,
      `Put brackets around what belongs together: (value ${operator} 15) ${compared} 14.`,
    );
  }

  #bareComparison(side: Expression): (Expression & { readonly type: 'binary' }) | undefined {
    const isBare = side.type === 'binary' && comparisons.has(side.operator) && !this.#enclosed.has(side);
    return isBare ? side : undefined;
  }

  #unary(): Expression {
    const { at } = this.#current;
    if (this.#takes(['*'])) return { type: 'pointed', address: this.#unary(), at };
    const operator = this.#takes(unaryOperators);
    return operator === undefined ? this.#primary() : { type: 'unary', operator, operand: this.#unary() };
  }

  #primary(): Expression {
    const token = this.#current;
    if (token.type === 'number') {
      this.#position++;
      return { type: 'number', value: token.value };
    }
    if (token.type === 'name') {
      this.#position++;
      return this.#named(token.name, token.at);
    }
    if (this.#takes(['('])) {
      const inner = this.#level(0);
      this.#expect(')');
      this.#enclosed.add(inner);
      return inner;
    }
    if (this.#takes(['['])) return { type: 'memory', bytes: 1, address: this.#inBrackets() };
    throw this.#error(token.type === 'end' ? 'something is missing at the end' : 'a value is missing here');
  }

  #named(name: string, at: number): Expression {
    if (name.toLowerCase() === 'bcd' && this.#takes(['('])) return this.#decimal(at);
    if (!this.#takes(['['])) return { type: 'name', name, at };
    const bytes = ownValue(widths, name.toLowerCase());
    const inner = this.#inBrackets();
    return bytes === undefined ? { type: 'row', name, at, index: inner } : { type: 'memory', bytes, address: inner };
  }

  /** `bcd(address, bytes)`: two decimal digits a byte, as scores are kept; the first byte has the highest, with -bytes the lowest. */
  #decimal(at: number): Expression {
    const address = this.#level(0);
    this.#expect(',');
    const isReversed = this.#takes(['-']) !== undefined;
    const count = this.#current;
    if (count.type !== 'number' || count.value < 1n || count.value > mostDecimalBytes) {
      throw this.#error(
        `bcd takes 1 to ${mostDecimalBytes} bytes, or -1 to -${mostDecimalBytes} with the lowest digits first`,
      );
    }
    this.#position++;
    this.#expect(')');
    const bytes = Array.from({ length: Number(count.value) }, (_, index) => BigInt(index));
    return (isReversed ? bytes.toReversed() : bytes)
      .map((offset) => decimalByte(plus(address, offset, at), at))
      .reduce((high, low) => binary('+', binary('*', high, number(100n), at), low, at));
  }

  /** After the opening bracket. */
  #inBrackets(): Expression {
    const start = this.#current;
    const first = this.#level(0);
    const { at } = this.#current;
    const inner = this.#takes([':']) ? this.#segmented(start, first, at) : first;
    this.#expect(']');
    return inner;
  }

  /** `ds:0x61c`: an offset from where the segment begins, which the machine has a name for. */
  #segmented(start: Token, segment: Expression, at: number): Expression {
    if (start.type !== 'name' || segment.type !== 'name') throw this.#error('before : stands a segment register');
    const base: Expression = { type: 'name', name: `${start.name.toLowerCase()}.base`, at: start.at };
    return { type: 'binary', operator: '+', left: base, right: this.#level(0), at };
  }

  #expect(text: string): void {
    if (!this.#takes([text])) throw this.#error(`${text} is missing here`);
  }

  #error(problem: string) {
    return conditionError(this.#source, this.#current.at, problem);
  }
}

function number(value: bigint): Expression {
  return { type: 'number', value };
}

function binary(operator: BinaryOperator, left: Expression, right: Expression, at: number): Expression {
  return { type: 'binary', operator, left, right, at };
}

function plus(address: Expression, offset: bigint, at: number): Expression {
  return offset === 0n ? address : binary('+', address, number(offset), at);
}

function decimalByte(address: Expression, at: number): Expression {
  const byte: Expression = { type: 'memory', bytes: 1, address };
  const tens = binary('*', binary('>>', byte, number(4n), at), number(10n), at);
  return binary('+', tens, binary('&', byte, number(15n), at), at);
}
