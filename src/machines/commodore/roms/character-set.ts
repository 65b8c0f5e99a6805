import { glyphsOf } from '../../shared/glyphs/glyphs-of.ts';
import { capitalGlyphs, smallGlyphs } from './glyphs.ts';
import { graphicGlyphs, otherGraphics } from './graphics.ts';

/** The 4096 bytes of the character ROM: capitals with graphics, then small letters, each with its reverse half. */
export function characterSet(): Uint8Array {
  const graphics = glyphsOf(graphicGlyphs);
  const [checks = [], falling = [], rising = [], tick = []] = glyphsOf(otherGraphics);
  const mixed = [...graphics];
  mixed.splice(1, 26, ...capitalGlyphs.slice(1, 27));
  mixed[0x1e] = checks;
  mixed[0x1f] = falling;
  mixed[0x29] = rising;
  mixed[0x3a] = tick;
  const upper = [...capitalGlyphs, ...graphics];
  const lower = [...smallGlyphs, ...mixed];
  const reversed = (glyphs: readonly (readonly number[])[]) => glyphs.map((rows) => rows.map((row) => row ^ 0xff));
  return Uint8Array.from([...upper, ...reversed(upper), ...lower, ...reversed(lower)].flat());
}
