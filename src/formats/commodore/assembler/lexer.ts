import type { SourceLine } from './assembly.ts';

export interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'operator' | 'group';
  /** The name, the operator, or the inside of a string. */
  readonly text: string;
  readonly column: number;
  /** White space stands before it. */
  readonly spaced: boolean;
  readonly value: number;
  /** A number written with more digits than a byte needs ($00fb): it asks for an absolute address. */
  readonly wide: boolean;
  /** A macro argument that stands for one value. */
  readonly inner?: readonly Token[];
}

/** A mistake in the text of one line. */
export class SyntaxProblem extends Error {
  readonly column: number;

  constructor(column: number, message: string) {
    super(message);
    this.column = column;
  }
}

const blank = /[ \t\f\v\u00a0\ufeff]+/y;
const name = /[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)*|[.@][A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|\\(?:\w+|@)/y;
const number = /\$([\da-fA-F]+)|0[xX]([\da-fA-F]+)|0[bB]([01]+)(?!\w)|(\d+\.\d+)|(\d+)/y;
const binary = /%([01.#]+)/y;
const operator = /<<|>>|<=|>=|==|!=|<>|&&|\|\||:=|::|\+=|-=|[-+*/%&|^~!<>=()[\]{},:#?;.]/y;

/** Takes one line apart. `;` inside the parentheses of a `.for (…; …; …)` is a separator, elsewhere it starts a comment. */
export function lexLine(line: SourceLine): Token[] {
  const { text } = line;
  const tokens: Token[] = [];
  let at = 0;
  let depth = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  while (at < text.length) {
    const space = match(blank);
    if (space) at += space[0].length;
    if (at >= text.length) break;
    const add = (kind: Token['kind'], content: string, length: number, value = 0, wide = false) => {
      tokens.push({ kind, text: content, column: at + 1, spaced: space !== null || at === 0, value, wide });
      at += length;
    };
    const character = text[at] ?? '';
    const inLoopHead = depth > 0 && tokens[0]?.text.toLowerCase() === '.for';
    if ((character === ';' && !inLoopHead) || text.startsWith('//', at)) break;
    if (character === '"' || character === "'") {
      const inside = quotedAt(text, at);
      if (inside === undefined) throw new SyntaxProblem(at + 1, 'the string does not end');
      add('string', inside.text, inside.length);
      continue;
    }
    const digits =
      match(number) ?? (character === '%' && startsValue(tokens.at(-1), space !== null) ? match(binary) : null);
    if (digits) {
      const { value, wide } = numberOf(digits);
      add('number', digits[0], digits[0].length, value, wide);
      continue;
    }
    const word = match(name);
    if (word) {
      add('name', word[0], word[0].length);
      continue;
    }
    const sign = match(operator);
    if (!sign) throw new SyntaxProblem(at + 1, `'${character}' has no meaning here`);
    if (sign[0] === '(') depth++;
    if (sign[0] === ')') depth--;
    add('operator', sign[0], sign[0].length);
  }
  return tokens;
}

/** True where a value is expected, so that % starts a binary number and is not the remainder. */
function startsValue(before: Token | undefined, spaced: boolean): boolean {
  if (before === undefined) return true;
  if (before.kind === 'operator') return before.text !== ')' && before.text !== ']';
  // After a name it depends on how it is written: `lda %101` against `size % 10` and `size%10`.
  return before.kind === 'name' && spaced;
}

function numberOf(digits: RegExpExecArray): { value: number; wide: boolean } {
  const [whole, hexDollar, hexC, bits, float, decimal] = digits;
  const hex = hexDollar ?? hexC;
  if (whole.startsWith('%')) {
    const text = whole.slice(1).replaceAll('.', '0').replaceAll('#', '1');
    return { value: Number.parseInt(text, 2), wide: text.length > 8 };
  }
  if (hex !== undefined) return { value: Number.parseInt(hex, 16), wide: hex.length > 2 };
  if (bits !== undefined) return { value: Number.parseInt(bits, 2), wide: bits.length > 8 };
  return { value: Number(float ?? decimal), wide: false };
}

function quotedAt(text: string, at: number): { text: string; length: number } | undefined {
  const quote = text[at] ?? '';
  const rest = text.slice(at + 1);
  // 'x needs no closing quote in some assemblers; '' ' and '\'' are characters too.
  const single = quote === "'" ? /^(\\?.)'/u.exec(rest) : null;
  if (single) return { text: single[1] ?? '', length: single[0].length + 1 };
  const closed =
    (quote === '"' ? /^((?:\\.|[^"\\])*)"/ : /^([^';]*)'/).exec(rest) ??
    (quote === '"' ? /^([^"]*)"/.exec(rest) : null);
  if (closed) return { text: closed[1] ?? '', length: closed[0].length + 1 };
  const open = quote === "'" ? /^./u.exec(rest) : null;
  return open ? { text: open[0], length: open[0].length + 1 } : undefined;
}
