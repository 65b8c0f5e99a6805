import { pixelsPerLine, type TedTiming } from '../../../chips/ted/models.ts';
import type { VisibleFrame } from '../board/commodore-board.ts';

/** Cuts it out of the whole raster. */
export function visibleFrame(raster: Uint8Array, { visible }: TedTiming): VisibleFrame {
  const { x, y, width, height } = visible;
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const start = (y + row) * pixelsPerLine + x;
    pixels.set(raster.subarray(start, start + width), row * width);
  }
  return { width, height, pixels };
}
