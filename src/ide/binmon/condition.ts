import { failure } from '../../links/vice/wire.ts';
import { Refusal } from './wire.ts';

type Token = { readonly type: 'number' | 'name' | 'bank' | 'sign'; readonly text: string };

const patterns: readonly (readonly [Token['type'], RegExp])[] = [
  ['bank', /@([a-z0-9]+):/iy],
  ['number', /\$[0-9a-f]+|%[01]+|\+[0-9]+/iy],
  ['sign', /&&|\|\||==|!=|<=|>=|[-+*&|<>()]/y],
  ['name', /\.?[a-z0-9]+/iy],
];

/** Registers by the names that VICE's monitor has for them. */
const names: Readonly<Record<string, string>> = {
  pc: 'pc',
  a: 'a',
  x: 'x',
  y: 'y',
  sp: 'sp',
  fl: 'p',
  cy: 'raster_cycle',
};
/** Memory that conditions can look at, by the names of VICE's banks. */
const banks: Readonly<Record<string, string>> = { cpu: 'byte', default: 'byte', ram: 'ram', rom: 'rom', io: 'io' };
const lineName = 'rl';
const deepest = 32;

/**
 * A condition of VICE's monitor in the machines' own language. VICE knows no precedence: what comes first is done first, which the
 * parentheses in the answer keep. Digits without a sign before them are hexadecimal. `line`: what stands for RL.
 */
export function translateCondition(source: string, line: string): string {
  const tokens = tokenise(source);
  const parser = new Translation(tokens, line);
  const translated = parser.expression(0);
  if (!parser.isAtEnd) throw new Refusal(failure.failed);
  return translated;
}

class Translation {
  readonly #tokens: readonly Token[];
  readonly #line: string;
  #at = 0;

  constructor(tokens: readonly Token[], line: string) {
    this.#tokens = tokens;
    this.#line = line;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  expression(depth: number): string {
    if (depth > deepest) throw new Refusal(failure.failed);
    let left = this.#operand(depth);
    while (!this.isAtEnd && !this.#is(')')) {
      const operator = this.#take();
      if (operator.type !== 'sign' || operator.text === '(') throw new Refusal(failure.failed);
      left = `(${left} ${operator.text} ${this.#operand(depth)})`;
    }
    return left;
  }

  #operand(depth: number): string {
    if (this.#is('(')) return this.#parenthesised(depth);
    const { type, text } = this.#take();
    if (type === 'bank') return this.#memory(text, depth);
    if (type === 'number') return numberOf(text);
    if (type === 'sign') throw new Refusal(failure.failed);
    const name = text.toLowerCase().replace('.', '');
    const register = name === lineName ? this.#line : names[name];
    if (register !== undefined) return register;
    if (/^[0-9a-f]+$/i.test(text)) return `0x${text}`;
    throw new Refusal(failure.failed);
  }

  #parenthesised(depth: number): string {
    this.#take();
    const inner = this.expression(depth + 1);
    if (!this.#is(')')) throw new Refusal(failure.failed);
    this.#take();
    return inner;
  }

  #memory(bank: string, depth: number): string {
    const name = bank.toLowerCase();
    const row = Object.hasOwn(banks, name) ? banks[name] : undefined;
    if (row === undefined) throw new Refusal(failure.failed);
    return `${row}[${this.#operand(depth + 1)}]`;
  }

  #is(sign: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.type === 'sign' && token.text === sign;
  }

  #take(): Token {
    const token = this.#tokens[this.#at++];
    if (token) return token;
    throw new Refusal(failure.failed);
  }
}

function numberOf(text: string): string {
  if (text.startsWith('$')) return `0x${text.slice(1)}`;
  return text.startsWith('+') ? text.slice(1) : text;
}

function tokenise(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    if (/\s/.test(source[at] ?? '')) {
      at++;
      continue;
    }
    const from = at;
    for (const [type, pattern] of patterns) {
      pattern.lastIndex = at;
      const found = pattern.exec(source);
      if (!found) continue;
      tokens.push({ type, text: found[1] ?? found[0] });
      at = pattern.lastIndex;
      break;
    }
    if (at === from) throw new Refusal(failure.failed);
  }
  return tokens;
}
