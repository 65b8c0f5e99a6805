import type { Vic2Timing } from '../../../chips/vic2/models.ts';
import type { VisibleFrame } from '../board/commodore-board.ts';

/** Cuts it out of the whole raster: 384 x 272 on PAL. */
export function visibleFrame(raster: Uint8Array, { cyclesPerLine, lines, visible }: Vic2Timing): VisibleFrame {
  const { x, y, width, height } = visible;
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const start = ((y + row) % lines) * cyclesPerLine * 8 + x;
    pixels.set(raster.subarray(start, start + width), row * width);
  }
  return { width, height, pixels };
}
