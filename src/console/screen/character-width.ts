import type { IUnicodeVersionProvider } from '@xterm/headless';

/** First and last code points that take two cells (East Asian Wide and Fullwidth of Unicode 15, without emoji). */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18cff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

const unknown = 3;
const known = new Uint8Array(0x110000).fill(unknown);

/** Widths as terminals of today count them; the emulator itself knows those of Unicode 6, before most emoji. */
export const characterWidth: IUnicodeVersionProvider = {
  version: 'frontpanel',
  wcwidth,
  /** Packed as the emulator does it: bit 0 joins the cell before, bits 1 and 2 are the width. */
  charProperties(codepoint, preceding) {
    const width = wcwidth(codepoint);
    const precedingWidth = (preceding >> 1) & 3;
    const joins = width === 0 && precedingWidth > 0;
    return ((joins ? precedingWidth : width) << 1) | (joins ? 1 : 0);
  },
};

function wcwidth(codepoint: number): 0 | 1 | 2 {
  if (codepoint >= 0x20 && codepoint < 0x7f) return 1;
  const width = known[codepoint];
  if (width === 0 || width === 1 || width === 2) return width;
  const found = find(codepoint);
  known[codepoint] = found;
  return found;
}

function find(codepoint: number): 0 | 1 | 2 {
  const char = String.fromCodePoint(codepoint);
  if (/[\p{Cc}\p{Mn}\p{Me}\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/u.test(char)) return 0;
  // The vowels and finals of Korean syllables written in parts stand in the cell of their initial.
  if (codepoint >= 0x1160 && codepoint <= 0x11ff) return 0;
  if (wideRanges.some(([first, last]) => codepoint >= first && codepoint <= last)) return 2;
  return /\p{Emoji_Presentation}/u.test(char) ? 2 : 1;
}
