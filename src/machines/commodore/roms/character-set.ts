import { basicGlyphs, smallLetters } from './glyphs.ts';
import { graphicGlyphs, otherGraphics } from './graphics.ts';

/** Eight bytes per glyph of bands of drawings: `#` is a set pixel. */
function glyphsOf(bands: readonly string[]): number[][] {
  return bands.flatMap((band) => {
    const rows = band
      .trim()
      .split('\n')
      .map((row) => row.split(' '));
    const count = rows[0]?.length ?? 0;
    if (rows.length !== 8 || rows.some((row) => row.length !== count || row.some((cell) => !/^[.#]{8}$/.test(cell)))) {
      throw new Error(`a band of glyphs is not eight rows of cells of eight pixels:\n${band}`);
    }
    return Array.from({ length: count }, (_, glyph) => rows.map((row) => bitsOf(row[glyph] ?? '')));
  });
}

function bitsOf(cell: string): number {
  return Number.parseInt(cell.replaceAll('.', '0').replaceAll('#', '1'), 2);
}

/** The 4096 bytes of the character ROM: capitals with graphics, then small letters, each with its reverse half. */
export function characterSet(): Uint8Array {
  const basic = glyphsOf(basicGlyphs);
  const graphics = glyphsOf(graphicGlyphs);
  const [checks = [], falling = [], rising = [], tick = []] = glyphsOf(otherGraphics);
  const mixed = [...graphics];
  mixed.splice(1, 26, ...basic.slice(1, 27));
  mixed[0x1e] = checks;
  mixed[0x1f] = falling;
  mixed[0x29] = rising;
  mixed[0x3a] = tick;
  const upper = [...basic, ...graphics];
  const lower = [...glyphsOf(smallLetters), ...basic.slice(32), ...mixed];
  const reversed = (glyphs: readonly number[][]) => glyphs.map((rows) => rows.map((row) => row ^ 0xff));
  return Uint8Array.from([...upper, ...reversed(upper), ...lower, ...reversed(lower)].flat());
}
