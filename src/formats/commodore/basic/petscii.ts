/** Which half of the character ROM is shown: capitals and graphics (power-on), or small letters and capitals. */
export type CharacterSet = 'upper' | 'lower';

// PETSCII $60-$7F and $A0-$BF of the power-on set, as Unicode names them (Box Drawing, Symbols for Legacy Computing).
const graphics60 = '─♠🭲🭸🭷🭶🭺🭱🭴╮╰╯🭼╲╱🭽🭾●🭻♥🭰╭╳○♣🭵♦┼🮌│π◥';
const graphicsA0 = '\u00a0▌▄▔▁▏▒▕🮏◤🮇├▗└┐▂┌┴┬┤▎▍🮈🮂🮃▃🭿▖▝┘▘▚';
/** Where the second set differs, apart from its letters. */
const lowerSetOwn: Readonly<Record<number, string>> = { 126: '🮖', 127: '🮘', 169: '🮙', 186: '✓' };
/** Characters of other machines, mapped to what looks most like them. */
const lookalikes: Readonly<Record<string, number>> = {
  '\n': 13,
  '\\': 92,
  '^': 94,
  _: 164,
  '`': 39,
  '|': 221,
  '~': 255,
  '\t': 32,
};

const tables: Readonly<Record<CharacterSet, readonly string[]>> = { upper: tableOf('upper'), lower: tableOf('lower') };
const codes: Readonly<Record<CharacterSet, ReadonlyMap<string, number>>> = {
  upper: codesOf('upper'),
  lower: codesOf('lower'),
};

function tableOf(set: CharacterSet): readonly string[] {
  const low = [...graphics60];
  const high = [...graphicsA0];
  const glyph = (code: number): string => {
    if ((code & 0x7f) < 32) return '';
    if (code === 255) return glyph(126);
    if (code >= 224) return glyph(code - 64);
    if (code >= 192) return glyph(code - 96);
    if (set === 'lower') {
      const own = lowerSetOwn[code];
      if (own !== undefined) return own;
      if (code >= 65 && code <= 90) return String.fromCharCode(code + 32);
      if (code >= 97 && code <= 122) return String.fromCharCode(code - 32);
    }
    if (code >= 160) return high[code - 160] ?? '';
    if (code >= 96) return low[code - 96] ?? '';
    return { 92: '£', 94: '↑', 95: '←' }[code] ?? String.fromCharCode(code);
  };
  return Array.from({ length: 256 }, (_, code) => glyph(code));
}

function codesOf(set: CharacterSet): ReadonlyMap<string, number> {
  const map = new Map<string, number>(Object.entries(lookalikes));
  // $C0-$DF is what the keyboard gives, so it comes before its double $60-$7F.
  for (const [first, last] of [
    [32, 95],
    [160, 223],
    [96, 127],
  ] as const) {
    for (let code = first; code <= last; code++) {
      const glyph = tables[set][code] ?? '';
      if (!map.has(glyph)) map.set(glyph, code);
    }
  }
  map.set('π', set === 'upper' ? 222 : 255);
  if (set === 'upper') for (let code = 65; code <= 90; code++) map.set(String.fromCharCode(code + 32), code);
  return map;
}

/** The glyph of a PETSCII code; '' for control codes. */
export function petsciiToUnicode(code: number, set: CharacterSet = 'upper'): string {
  return tables[set][code & 255] ?? '';
}

/** The PETSCII code of one Unicode character. In the `upper` set small letters count as capitals. */
export function unicodeToPetscii(character: string, set: CharacterSet = 'upper'): number | undefined {
  return codes[set].get(character);
}

/** The screen code that the KERNAL's screen editor would store; control codes come out reversed, as in quote mode. */
export function petsciiToScreenCode(code: number): number {
  if (code === 255) return 94;
  const block = (code & 255) >> 5;
  return (code + ([128, 0, -64, -32, 64, -64, -128, -128][block] ?? 0)) & 255;
}

/** The printable PETSCII code of a screen code; the reverse bit (128) is dropped. */
export function screenCodeToPetscii(code: number): number {
  const low = code & 127;
  return low + ([64, 0, 128, 64][low >> 5] ?? 0);
}

/** The glyph of a screen code; the reverse bit (128) is dropped. */
export function screenCodeToUnicode(code: number, set: CharacterSet = 'upper'): string {
  return petsciiToUnicode(screenCodeToPetscii(code), set);
}

export function unicodeToScreenCode(character: string, set: CharacterSet = 'upper'): number | undefined {
  const code = unicodeToPetscii(character, set);
  return code === undefined || (code & 127) < 32 ? undefined : petsciiToScreenCode(code);
}

/** Printable text of PETSCII bytes, as in a directory; control codes are left out. */
export function petsciiText(bytes: Iterable<number>, set: CharacterSet = 'upper'): string {
  let text = '';
  for (const code of bytes) text += petsciiToUnicode(code, set);
  return text;
}
