import { lowerHex } from '../../hex.ts';
import { controlName } from './control-codes.ts';
import { firstToken, keywords, piToken, remToken } from './keywords.ts';
import { type CharacterSet, petsciiToUnicode, unicodeToPetscii } from './petscii.ts';

export interface DetokeniseResult {
  readonly text: string;
  readonly loadAddress: number;
  /** Bytes that follow the end of the program, machine code as a rule. */
  readonly rest: Uint8Array;
}

/**
 * Lists a BASIC V2 program file. `lower` letters give text that `tokenise` turns into the same bytes again: small letters
 * are unshifted. `upper` gives the listing the power-on character set shows.
 */
export function detokenise(bytes: Uint8Array, letters: CharacterSet = 'lower'): DetokeniseResult {
  const loadAddress = (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8);
  const lines: string[] = [];
  let at = 2;
  while (at + 4 < bytes.length && (bytes[at + 1] ?? 0) !== 0) {
    const number = (bytes[at + 2] ?? 0) | ((bytes[at + 3] ?? 0) << 8);
    const end = bytes.indexOf(0, at + 4);
    const stop = end < 0 ? bytes.length : end;
    lines.push(`${number} ${listLine(bytes.subarray(at + 4, stop), letters)}`);
    at = stop + 1;
  }
  return {
    text: lines.map((line) => `${line}\n`).join(''),
    loadAddress,
    rest: bytes.slice(Math.min(at + 2, bytes.length)),
  };
}

function listLine(line: Uint8Array, letters: CharacterSet): string {
  let text = '';
  let quoted = false;
  let remark = false;
  for (const code of line) {
    const keyword = quoted || remark || code < firstToken ? undefined : keywords[code - firstToken];
    if (code === 0x22) quoted = !quoted;
    if (keyword !== undefined) {
      text += letters === 'lower' ? keyword.toLowerCase() : keyword;
      remark = code === remToken;
    } else text += characterOf(code, letters, quoted || remark);
  }
  return text;
}

function characterOf(code: number, letters: CharacterSet, raw: boolean): string {
  if (code === piToken) return 'π';
  const glyph = petsciiToUnicode(code, letters);
  // Doubles of a character (such as $61 for $C1) and glyphs that would read as syntax keep their number.
  if (glyph !== '' && unicodeToPetscii(glyph, letters) === code && (raw || code < firstToken)) return glyph;
  return `{${controlName(code) ?? `$${lowerHex(code, 2)}`}}`;
}
