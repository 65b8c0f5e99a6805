import { asciiGlyph } from '../../shared/glyphs/ascii.ts';
import { glyphsOf } from '../../shared/glyphs/glyphs-of.ts';

/** What the C64 has where ASCII has a backslash, a caret and an underscore. */
const [pound = [], upArrow = [], leftArrow = []] = glyphsOf(`
...###.. ...##... ........
..#...#. ..####.. ..##....
..#..... .##..##. .##.....
.####... #..##..# #######.
..#..... ...##... #######.
.##...#. ...##... .##.....
##.###.. ...##... ..##....
........ ........ ........
`);

const ownGlyphs: ReadonlyMap<number, readonly number[]> = new Map([
  [0x1c, pound],
  [0x1e, upArrow],
  [0x1f, leftArrow],
]);

/** Screen codes $00-$3F of the set with capitals. */
export const capitalGlyphs: readonly (readonly number[])[] = Array.from(
  { length: 0x40 },
  (_, code) => ownGlyphs.get(code) ?? asciiGlyph(code < 0x20 ? code + 0x40 : code),
);

/** The same of the other set, with a to z in the place of the capitals. */
export const smallGlyphs: readonly (readonly number[])[] = capitalGlyphs.map((glyph, code) =>
  code >= 1 && code <= 26 ? asciiGlyph(code + 0x60) : glyph,
);
