import { parseControl } from '../basic/control-codes.ts';
import { petsciiToScreenCode, unicodeToPetscii } from '../basic/petscii.ts';

/**
 * How characters become bytes. `petscii`: small letters unshifted ($41), capitals shifted ($C1). `petscii_upper`: both
 * unshifted, readable in the power-on character set. `screen`, `screen_upper`: the same as screen codes. `ascii`: as it is.
 */
export type TextEncoding = 'petscii' | 'petscii_upper' | 'screen' | 'screen_upper' | 'ascii';

/** The names assemblers have for them. */
export const encodingNames: Readonly<Record<string, TextEncoding>> = {
  petscii: 'petscii',
  petscii_mixed: 'petscii',
  pet: 'petscii',
  petscii_upper: 'petscii_upper',
  screen: 'screen',
  screencode: 'screen',
  screencode_mixed: 'screen',
  scr: 'screen',
  screencode_upper: 'screen_upper',
  screen_upper: 'screen_upper',
  ascii: 'ascii',
  raw: 'ascii',
  none: 'ascii',
};

const escapes: Readonly<Record<string, number>> = { n: 13, r: 13, t: 9, '0': 0, '"': 34, "'": 39, '\\': 92 };

/**
 * The bytes of a string: escapes (`\n`, `\x41`), control codes in braces (`{clr}`) and characters. Throws a RangeError that
 * names the character when there is none for it.
 */
export function encodeText(text: string, encoding: TextEncoding): number[] {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const [escaped, hex, plain] = /^\\(?:x([\da-fA-F]{2})|([nrt0"'\\]))/.exec(rest) ?? [];
    const [brace, inside = ''] = (encoding === 'ascii' ? null : /^\{([^{}]+)\}/.exec(rest)) ?? [];
    const codes = brace === undefined ? undefined : parseControl(inside);
    if (escaped !== undefined && text.length > 1) {
      bytes.push(hex === undefined ? (escapes[plain ?? ''] ?? 0) : Number.parseInt(hex, 16));
      at += escaped.length;
    } else if (brace !== undefined && codes) {
      bytes.push(...codes.map((code) => (encoding.startsWith('screen') ? petsciiToScreenCode(code) : code)));
      at += brace.length;
    } else {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
      bytes.push(codeOf(character, encoding));
      at += character.length;
    }
  }
  return bytes;
}

function codeOf(character: string, encoding: TextEncoding): number {
  const code = character.codePointAt(0) ?? 0;
  if (encoding === 'ascii') {
    if (code < 256) return code;
    throw new RangeError(`'${character}' has no single byte`);
  }
  const petscii = unicodeToPetscii(character, encoding.endsWith('upper') ? 'upper' : 'lower');
  if (petscii === undefined)
    throw new RangeError(`'${character}' is not in the C64's character set; use {$xx} or \\xnn`);
  return encoding.startsWith('screen') ? petsciiToScreenCode(petscii) : petscii;
}
