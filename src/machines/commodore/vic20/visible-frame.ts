import { type Mos6560Timing, pixelsPerCycle } from '../../../chips/mos6560/models.ts';
import type { VisibleFrame } from '../board/commodore-board.ts';

/** Cuts it out of the whole raster. A pixel is about 1.7 times as wide as high. */
export function visibleFrame(raster: Uint8Array, { cyclesPerLine, lines, visible }: Mos6560Timing): VisibleFrame {
  const { x, y, width, height } = visible;
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const start = ((y + row) % lines) * cyclesPerLine * pixelsPerCycle + x;
    pixels.set(raster.subarray(start, start + width), row * width);
  }
  return { width, height, pixels };
}
