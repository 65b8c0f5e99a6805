import { asciiGlyph } from '../../../../shared/glyphs/ascii.ts';
import { glyphsOf } from '../../../../shared/glyphs/glyphs-of.ts';
import { accented, accents } from './accents.ts';
import { blockGlyph, boxGlyph } from './box-drawing.ts';
import { symbolCodes, symbols } from './symbols.ts';

/** 256 glyphs of eight dots by `height` lines each, one after the other. */
export interface Font {
  readonly height: 8 | 14 | 16;
  readonly bytes: Uint8Array;
}

type Glyph = readonly number[];

/** How often each of the seven lines above the base line is drawn, and where the first one lies. */
const stretches = {
  8: { top: 0, repeats: [1, 1, 1, 1, 1, 1, 1] },
  14: { top: 2, repeats: [1, 1, 1, 1, 2, 2, 1] },
  16: { top: 2, repeats: [1, 2, 1, 1, 2, 2, 1] },
} as const;

function designs(): Map<number, Glyph> {
  const glyphs = new Map<number, Glyph>();
  for (let code = 0x20; code < 0x80; code++) glyphs.set(code, asciiGlyph(code));
  const drawn = glyphsOf(symbols);
  symbolCodes.forEach((code, index) => {
    glyphs.set(code, drawn[index] ?? []);
  });
  for (const [code, letter, accent] of accented)
    glyphs.set(code, withAccent(glyphs.get(letter.charCodeAt(0)) ?? [], letter, accent));
  return glyphs;
}

function withAccent(glyph: Glyph, letter: string, name: keyof typeof accents): Glyph {
  const [upper, lower] = accents[name];
  const line = (index: number) => glyph[index] ?? 0;
  if (name === 'cedilla') return [0, 1, 2, 3, 4, 5, 6].map(line).concat(lower | upper);
  if (letter < 'a')
    return [name === 'diaeresis' ? lower : upper, line(0), line(2), line(3), line(4), line(5), line(6), 0];
  return [upper, lower, ...glyph.slice(2)];
}

/** Taller cells repeat lines; what hangs below the base line gets a longer stem. */
function stretched(glyph: Glyph, height: 8 | 14 | 16): Uint8Array {
  const { top, repeats } = stretches[height];
  const rows = new Uint8Array(height);
  let y: number = top;
  repeats.forEach((times, line) => {
    for (let i = 0; i < times; i++) rows[y++] = glyph[line] ?? 0;
  });
  const below = glyph[7] ?? 0;
  if (below === 0) return rows;
  if (height > 8) rows[y++] = glyph[6] ?? 0;
  rows[y] = below;
  return rows;
}

function build(height: 8 | 14 | 16): Font {
  const bytes = new Uint8Array(256 * height);
  for (const [code, glyph] of designs()) bytes.set(stretched(glyph, height), code * height);
  for (let code = 0xb0; code <= 0xdf; code++) {
    const isBox = code >= 0xb3 && code <= 0xda;
    bytes.set(isBox ? boxGlyph(code, height) : blockGlyph(code, height), code * height);
  }
  return { height, bytes };
}

export const font8 = build(8);
export const font14 = build(14);
export const font16 = build(16);
