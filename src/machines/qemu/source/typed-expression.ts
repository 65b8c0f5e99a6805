import { MachineError } from '../../../machine/errors.ts';

/** An expression as C, C++, Rust and Zig have it, as far as they agree. */
export type TypedExpression =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'register'; readonly name: string }
  | { readonly type: 'number'; readonly value: bigint }
  | { readonly type: 'member'; readonly of: TypedExpression; readonly name: string }
  | { readonly type: 'index'; readonly of: TypedExpression; readonly index: TypedExpression }
  | { readonly type: 'unary'; readonly operator: string; readonly operand: TypedExpression }
  | { readonly type: 'cast'; readonly name: string; readonly stars: number; readonly operand: TypedExpression }
  | {
      readonly type: 'binary';
      readonly operator: string;
      readonly left: TypedExpression;
      readonly right: TypedExpression;
    };

interface Token {
  readonly kind: 'name' | 'number' | 'register' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
}

const tokenForm =
  /\s*(?:(?<number>0x[0-9a-f]+|\d+)|'(?<letter>\\?.)'|\$(?<register>[a-z]\w*)|(?<name>[a-z_]\w*(?:::[a-z_]\w*)*)|(?<sign>->|&&|\|\||==|!=|<=|>=|<<|>>|[-+*/%&|^~!<>()[\].?]))/iy;
const levels = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];
const keywords = /^(?:struct|union|enum|class|const|volatile)$/;
const maxDepth = 64;

/** `isType` says which names are types, for casts. */
export function parseTyped(source: string, isType: (name: string) => boolean): TypedExpression {
  return new Parser(source, isType).whole();
}

/** Every name that an expression uses. */
export function namesIn(expression: TypedExpression): string[] {
  switch (expression.type) {
    case 'name':
      return [expression.name];
    case 'member':
      return namesIn(expression.of);
    case 'index':
      return [...namesIn(expression.of), ...namesIn(expression.index)];
    case 'unary':
    case 'cast':
      return namesIn(expression.operand);
    case 'binary':
      return [...namesIn(expression.left), ...namesIn(expression.right)];
    default:
      return [];
  }
}

/** `file.namespace.name`, if it is made of names alone. */
export function dottedName(expression: TypedExpression): string | undefined {
  if (expression.type === 'name') return expression.name;
  const of = expression.type === 'member' ? dottedName(expression.of) : undefined;
  return expression.type === 'member' && of !== undefined ? `${of}.${expression.name}` : undefined;
}

class Parser {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  readonly #isType: (name: string) => boolean;
  #position = 0;
  #depth = 0;

  constructor(source: string, isType: (name: string) => boolean) {
    this.#source = source;
    this.#isType = isType;
    this.#tokens = this.#tokenise();
  }

  whole(): TypedExpression {
    const expression = this.#level(0);
    if (this.#current.kind !== 'end') throw this.#error('this cannot stand here');
    return expression;
  }

  #tokenise(): Token[] {
    const tokens: Token[] = [];
    const source = this.#source.trimEnd();
    tokenForm.lastIndex = 0;
    while (tokenForm.lastIndex < source.length) {
      const at = tokenForm.lastIndex;
      const { groups } = tokenForm.exec(source) ?? {};
      if (!groups)
        throw typedError(this.#source, at, `${JSON.stringify(source.slice(at).trim()[0] ?? '')} means nothing here`);
      const { number, letter, register, name, sign } = groups;
      if (number !== undefined) tokens.push({ kind: 'number', text: number, at });
      else if (letter !== undefined)
        tokens.push({ kind: 'number', text: String(letter.codePointAt(letter.length - 1)), at });
      else if (register !== undefined) tokens.push({ kind: 'register', text: register, at });
      else if (name !== undefined) tokens.push({ kind: 'name', text: name, at });
      else tokens.push({ kind: 'sign', text: sign ?? '', at });
    }
    return tokens;
  }

  get #current(): Token {
    return this.#tokens[this.#position] ?? { kind: 'end', text: '', at: this.#source.length };
  }

  #takes(...signs: readonly string[]): string | undefined {
    const { kind, text } = this.#current;
    if (kind !== 'sign' || !signs.includes(text)) return undefined;
    this.#position++;
    return text;
  }

  #level(depth: number): TypedExpression {
    const operators = levels[depth];
    if (!operators) return this.#unary();
    let left = this.#level(depth + 1);
    for (;;) {
      const operator = this.#takes(...operators);
      if (operator === undefined) return left;
      left = { type: 'binary', operator, left, right: this.#level(depth + 1) };
    }
  }

  #unary(): TypedExpression {
    if (++this.#depth > maxDepth) throw this.#error('it is nested too deeply');
    const expression = this.#unaryInside();
    this.#depth--;
    return expression;
  }

  #unaryInside(): TypedExpression {
    const operator = this.#takes('*', '&', '-', '!', '~');
    if (operator !== undefined) return { type: 'unary', operator, operand: this.#unary() };
    return this.#cast() ?? this.#postfix(this.#primary());
  }

  /** `(struct task *)`: a type, and something that it is put on. */
  #cast(): TypedExpression | undefined {
    const start = this.#position;
    if (!this.#takes('(')) return undefined;
    const words: string[] = [];
    while (this.#current.kind === 'name') {
      let word = this.#current.text;
      this.#position++;
      while (this.#isDotted()) {
        word += `.${this.#tokens[this.#position + 1]?.text}`;
        this.#position += 2;
      }
      words.push(word);
    }
    let stars = 0;
    while (this.#takes('*', '&')) stars++;
    const name = words.filter((word) => !keywords.test(word)).join(' ');
    const closes = this.#takes(')');
    const isCast = closes !== undefined && name !== '' && this.#isType(name) && this.#startsValue();
    if (isCast) return { type: 'cast', name, stars, operand: this.#unary() };
    this.#position = start;
    return undefined;
  }

  /** A type of Zig has the names of what it is declared in. */
  #isDotted(): boolean {
    const { kind, text } = this.#current;
    return kind === 'sign' && text === '.' && this.#tokens[this.#position + 1]?.kind === 'name';
  }

  #startsValue(): boolean {
    const { kind, text } = this.#current;
    return (
      kind === 'name' ||
      kind === 'number' ||
      kind === 'register' ||
      (kind === 'sign' && ['(', '*', '&', '-', '~', '!'].includes(text))
    );
  }

  #primary(): TypedExpression {
    const token = this.#current;
    this.#position++;
    if (token.kind === 'number') return { type: 'number', value: BigInt(token.text) };
    if (token.kind === 'register') return { type: 'register', name: token.text };
    if (token.kind === 'name') return { type: 'name', name: token.text };
    if (token.kind === 'sign' && token.text === '(') {
      const inner = this.#level(0);
      if (!this.#takes(')')) throw this.#error(') is missing');
      return inner;
    }
    this.#position--;
    throw this.#error(token.kind === 'end' ? 'something is missing at the end' : 'a value is missing here');
  }

  #postfix(first: TypedExpression): TypedExpression {
    let of = first;
    for (;;) {
      const sign = this.#takes('.', '->', '[');
      if (sign === undefined) return of;
      if (sign === '[') {
        const index = this.#level(0);
        if (!this.#takes(']')) throw this.#error('] is missing');
        of = { type: 'index', of, index };
        continue;
      }
      // Rust's Some(x).0 and what `.*` is in Zig.
      if (sign === '.' && this.#takes('*')) {
        of = { type: 'unary', operator: '*', operand: of };
        continue;
      }
      // What an optional of Zig has.
      if (sign === '.' && this.#takes('?')) {
        of = { type: 'member', of, name: '?' };
        continue;
      }
      const { kind, text } = this.#current;
      if (kind !== 'name' && kind !== 'number') throw this.#error('the name of a member is missing');
      this.#position++;
      of = { type: 'member', of, name: kind === 'number' ? `__${text}` : text };
    }
  }

  #error(problem: string): MachineError {
    return typedError(this.#source, this.#current.at, problem);
  }
}

function typedError(source: string, at: number, problem: string): MachineError {
  return new MachineError(
    'INVALID_ARGUMENT',
    `Expression: ${problem} (column ${at + 1}).\n  ${source}\n  ${' '.repeat(at)}^`,
    'Write it as in C: task->name, *pointer, &array[3], (struct task *)0x1000, $rax.',
    { column: at + 1 },
  );
}
