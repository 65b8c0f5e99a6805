import { ownValue } from '../../../formats/own-value.ts';
import { SourceError } from './source-error.ts';

export interface Token {
  readonly kind: 'name' | 'number' | 'real' | 'text' | 'sign';
  readonly text: string;
  /** Of a number or a real. */
  readonly value: number;
}

/** As NASM has it, about. */
const longestName = 255;

const pattern =
  /\s*(?:([a-z_.?@][\w.?@$#~]*)|(\$\$|\$(?![0-9a-f]))|([0-9]+(?:\.[0-9]*(?:e[-+]?[0-9]+)?|e[-+]?[0-9]+)(?!\w))|(\$?[0-9][\w]*)|(<<|>>|[-+*/%&|^~()[\],:=])|(["'`]))/iy;

/** The parts of a line. What follows a semicolon is a comment. */
export function tokensOf(line: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    while (/\s/.test(line[at] ?? '')) at += 1;
    if (at >= line.length || line[at] === ';') return tokens;
    pattern.lastIndex = at;
    const match = pattern.exec(line);
    if (!match) throw new SourceError(`${JSON.stringify(line[at])} is not expected here.`);
    const [, name, here, real, number, sign, quote] = match;
    at = pattern.lastIndex;
    if (quote !== undefined) {
      const end = quote === '`' ? closingBackquote(line, at) : line.indexOf(quote, at);
      if (end < 0) throw new SourceError('A text has no closing quote.');
      const text = line.slice(at, end);
      tokens.push({ kind: 'text', text: quote === '`' ? unescaped(text) : text, value: 0 });
      at = end + 1;
    } else if (real !== undefined) tokens.push({ kind: 'real', text: real, value: Number(real) });
    else if (number !== undefined) {
      if (number.length > longestName) throw new SourceError(`A number has more than ${longestName} digits.`);
      tokens.push({ kind: 'number', text: number, value: numberOf(number) });
    } else if (name !== undefined) {
      if (name.length > longestName) throw new SourceError(`A name has more than ${longestName} characters.`);
      tokens.push({ kind: 'name', text: name, value: 0 });
    } else tokens.push({ kind: 'sign', text: here ?? sign ?? '', value: 0 });
  }
}

function closingBackquote(line: string, from: number): number {
  for (let at = from; at < line.length; at += line[at] === '\\' ? 2 : 1) if (line[at] === '`') return at;
  return -1;
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, e: 27 };

/** Between backquotes a backslash means what it does in C. */
function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9a-f]{1,2})|([0-7]{1,3})|(.?))/gis, (all, hexadecimal, octal, letter: string) => {
    if (hexadecimal !== undefined) return String.fromCharCode(Number.parseInt(hexadecimal, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    const code = ownValue(escapes, letter);
    if (code !== undefined) return String.fromCharCode(code);
    if (/^['"`\\?]$/.test(letter)) return letter;
    throw new SourceError(`${all} is not an escape known here: \\n, \\t, \\x41, \\101 are.`);
  });
}

const radices: readonly (readonly [RegExp, number])[] = [
  [/^(?:0x|0h|\$)([0-9a-f_]+)$/i, 16],
  [/^([0-9][0-9a-f_]*)h$/i, 16],
  [/^0[by]([01_]+)$/i, 2],
  [/^0[dt]([0-9_]+)$/i, 10],
  [/^([01_]+)[by]$/i, 2],
  [/^0[oq]([0-7_]+)$/i, 8],
  [/^([0-7_]+)[oq]$/i, 8],
  [/^([0-9_]+)d?$/i, 10],
];

function numberOf(text: string): number {
  return Number(wholeNumberOf(text));
}

const literalOf: Readonly<Record<number, string>> = { 2: '0b', 8: '0o', 10: '', 16: '0x' };

/** A number of any length. */
export function wholeNumberOf(text: string): bigint {
  for (const [form, radix] of radices) {
    const digits = form.exec(text)?.[1]?.replaceAll('_', '');
    if (digits !== undefined && digits !== '') return BigInt(`${literalOf[radix]}${digits}`);
  }
  throw new SourceError(`${text} is not a number. Write 26, 0x1A, 1Ah or 0b11010.`);
}

/** Characters as a number, the first lowest, as NASM has them. */
export function textValue(text: string): number {
  return [...textBytes(text).slice(0, 4)].reduce((value, byte, index) => value + byte * 2 ** (8 * index), 0);
}

export function textBytes(text: string): readonly number[] {
  return Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    if (code > 0xff) throw new SourceError(`${JSON.stringify(character)} has no code of 8 bits.`);
    return code;
  });
}
