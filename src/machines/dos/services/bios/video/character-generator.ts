import type { GuestMemory } from '../../guest.ts';
import type { VgaPorts } from './vga-ports.ts';

/** Plane 2 at A0000h, one plane at a time, for as long as `action` runs. */
function withFontPlane(vga: VgaPorts, action: () => void): void {
  const before = {
    map: vga.readSequencer(2),
    memory: vga.readSequencer(4),
    select: vga.readGraphics(4),
    mode: vga.readGraphics(5),
    misc: vga.readGraphics(6),
  };
  vga.sequencer(2, 4);
  vga.sequencer(4, 6);
  vga.graphics(4, 2);
  vga.graphics(5, 0);
  vga.graphics(6, 4);
  action();
  vga.sequencer(2, before.map);
  vga.sequencer(4, before.memory);
  vga.graphics(4, before.select);
  vga.graphics(5, before.mode);
  vga.graphics(6, before.misc);
}

const blocks = [0x0000, 0x4000, 0x8000, 0xc000, 0x2000, 0x6000, 0xa000, 0xe000];

/** Puts glyphs into one of the eight blocks of the character generator. */
export function loadGlyphs(
  vga: VgaPorts,
  memory: GuestMemory,
  glyphs: Uint8Array,
  height: number,
  first: number,
  block: number,
): void {
  withFontPlane(vga, () => {
    const count = Math.floor(glyphs.length / height);
    for (let glyph = 0; glyph < count; glyph++) {
      const at = 0xa0000 + (blocks[block & 7] ?? 0) + ((first + glyph) & 0xff) * 32;
      for (let line = 0; line < 32; line++)
        memory.write8(at + line, line < height ? (glyphs[glyph * height + line] ?? 0) : 0);
    }
  });
}
