import { parseControl } from './control-codes.ts';
import { dataToken, firstToken, keywords, piToken, printToken, remToken } from './keywords.ts';
import { type CharacterSet, unicodeToPetscii } from './petscii.ts';

export interface BasicError {
  /** Line and column of the text, from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly text: string;
}

export interface TokeniseOptions {
  /**
   * What letters mean. `lower`: small letters are unshifted, capitals shifted, as petcat writes them. `upper`: both are
   * unshifted, as in a printed listing. By default `upper` when the statements are in capitals, except in programs that switch the
   * small letters on.
   */
  readonly letters?: CharacterSet;
  readonly loadAddress?: number;
}

export interface TokeniseResult {
  /** A PRG: load address, lines, end mark. */
  readonly bytes: Uint8Array;
  readonly letters: CharacterSet;
  readonly errors: readonly BasicError[];
}

const highestLine = 63_999;
const longestLine = 250;

/** Turns BASIC V2 text into a program file. Lines without a number follow the one before in steps of 10. */
export function tokenise(text: string, options: TokeniseOptions = {}): TokeniseResult {
  const letters = options.letters ?? lettersOf(text);
  const errors: BasicError[] = [];
  const lines = new Map<number, readonly number[]>();
  let last = 0;
  for (const [index, source] of text.split(/\r\n|\r|\n/).entries()) {
    const fail = (column: number, message: string) => {
      if (errors.length < 20) errors.push({ line: index + 1, column, message, text: source });
    };
    const [, indent = '', digits, body = ''] = /^(\s*)(\d+)?\s*(.*?)\s*$/.exec(source) ?? [];
    if (digits === undefined && body === '') continue;
    const number = digits === undefined ? last + 10 : Number(digits);
    if (number > highestLine) fail(indent.length + 1, `line number ${number} is above ${highestLine}`);
    if (lines.has(number)) fail(indent.length + 1, `line ${number} is there twice`);
    if (body === '') fail(indent.length + 1, `line ${number} is empty: BASIC would delete it`);
    const bytes = crunch(body, source.trimEnd().length - body.length, letters, fail);
    if (bytes.length > longestLine) fail(1, `line ${number} has ${bytes.length} bytes, at most ${longestLine} fit`);
    lines.set(number, bytes);
    last = number;
  }
  return { bytes: link(lines, options.loadAddress ?? 0x0801), letters, errors };
}

function lettersOf(text: string): CharacterSet {
  const statements = text.replace(/"[^"\n]*"?|\{[^}\n]*\}|\brem\b.*/gi, '');
  const capitals = /[A-Z]/.test(statements) && !/[a-z]/.test(statements);
  const switchesSet = /chr\$\s*\(\s*14\s*\)|\{(swlc|lower|lowercase)\}|poke\s*53272\s*,\s*2[23]\b/i.test(text);
  return capitals && !switchesSet ? 'upper' : 'lower';
}

function crunch(
  body: string,
  offset: number,
  letters: CharacterSet,
  fail: (column: number, message: string) => void,
): number[] {
  const bytes: number[] = [];
  let quoted = false;
  let raw: 'no' | 'data' | 'rem' = 'no';
  for (let at = 0; at < body.length; ) {
    const character = String.fromCodePoint(body.codePointAt(at) ?? 0);
    if (character === '"') quoted = !quoted;
    if (raw === 'data' && !quoted && character === ':') raw = 'no';
    if (character === '{') {
      const end = body.indexOf('}', at);
      const inside = body.slice(at + 1, end);
      const codes = end < 0 ? undefined : parseControl(inside);
      if (end < 0) fail(offset + at + 1, "'{' without '}'");
      else if (!codes)
        fail(offset + at + 1, `{${inside}} is not a control code; known are {clr} {home} {down} {red} {$93} …`);
      bytes.push(...(codes ?? []));
      at = end < 0 ? body.length : end + 1;
      continue;
    }
    const word = quoted || raw !== 'no' ? undefined : wordAt(body, at, letters);
    if (word) {
      bytes.push(word.token);
      if (word.token === dataToken) raw = 'data';
      if (word.token === remToken) raw = 'rem';
      at += word.length;
      continue;
    }
    const code = character === 'π' ? piToken : unicodeToPetscii(character, letters);
    if (code === undefined) fail(offset + at + 1, `'${character}' is not in the character set; use {$xx}`);
    else bytes.push(code);
    at += character.length;
  }
  return bytes;
}

function wordAt(body: string, at: number, letters: CharacterSet): { token: number; length: number } | undefined {
  const first = body[at] ?? '';
  if (first === '?') return { token: printToken, length: 1 };
  if (first === '↑') return { token: firstToken + keywords.indexOf('^'), length: 1 };
  const rest = body.slice(at, at + 8);
  const upper = rest.toUpperCase();
  for (const [index, keyword] of keywords.entries()) {
    if (upper.startsWith(keyword)) return { token: firstToken + index, length: keyword.length };
    if (letters === 'upper') continue;
    // An abbreviation ends in a shifted letter: pO is POKE, goS is GOSUB.
    const short = /^[a-z]{1,3}[A-Z]/.exec(rest)?.[0];
    if (short && keyword.startsWith(short.toUpperCase())) return { token: firstToken + index, length: short.length };
  }
  return undefined;
}

function link(lines: ReadonlyMap<number, readonly number[]>, loadAddress: number): Uint8Array {
  const bytes = [loadAddress & 255, loadAddress >> 8];
  let address = loadAddress;
  for (const [number, line] of [...lines].sort(([a], [b]) => a - b)) {
    address += line.length + 5;
    bytes.push(address & 255, (address >> 8) & 255, number & 255, (number >> 8) & 255, ...line, 0);
  }
  bytes.push(0, 0);
  return Uint8Array.from(bytes);
}
