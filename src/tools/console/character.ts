const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const combining = /[\p{Mn}\p{Me}]/u;
const emoji = /\p{Emoji_Presentation}/u;

const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
];

/**
 * Whether a character leaves no mark of its own: controls, format characters (zero-width, bidirectional, tags, BOM,
 * soft hyphen), line and paragraph separators, variation selectors, unassigned and private ones.
 */
export function isInvisible(codePoint: number): boolean {
  if (codePoint >= 0xa0 && codePoint < 0x300) return codePoint === 0xad;
  return invisible.test(String.fromCodePoint(codePoint));
}

/** How many cells of a terminal a visible character takes; good enough, not a font. */
export function cellWidth(codePoint: number): 0 | 1 | 2 {
  if (codePoint < 0x300) return 1;
  if (wideRanges.some(([first, last]) => codePoint >= first && codePoint <= last)) return 2;
  const character = String.fromCodePoint(codePoint);
  if (combining.test(character)) return 0;
  return emoji.test(character) ? 2 : 1;
}
