import type { Vic2Timing } from '../../../chips/vic2/models.ts';
import type { VisibleFrame } from '../board/commodore-board.ts';

/** How much of the border is shown: as on a monitor, all that is not blanked, the whole raster, or none. */
export const borderModes = ['normal', 'full', 'debug', 'none'] as const;
export type BorderMode = (typeof borderModes)[number];

type Part = Vic2Timing['visible'];

/** Where the raster has the 40 columns and 25 rows. */
export const textWindow: Part = { x: 136, y: 51, width: 320, height: 200 };
/** By cycles in a line: the pixels that are not blanked. */
const unblanked: Readonly<Record<number, { readonly x: number; readonly width: number }>> = {
  63: { x: 88, width: 403 },
  64: { x: 88, width: 411 },
  65: { x: 81, width: 418 },
};
const unblankedLinesOfPal = 284;

/** The part of the raster that is shown. */
export function visiblePart({ cyclesPerLine, lines, visible }: Vic2Timing, border: BorderMode): Part {
  if (border === 'none') return textWindow;
  if (border === 'debug') return { x: 0, y: 0, width: cyclesPerLine * 8, height: lines };
  if (border === 'normal') return visible;
  const height = cyclesPerLine === 63 ? unblankedLinesOfPal : visible.height;
  return { ...visible, ...unblanked[cyclesPerLine], height };
}

/** Cuts it out of the whole raster: normally 384 x 272 on PAL. */
export function visibleFrame(raster: Uint8Array, { cyclesPerLine, lines }: Vic2Timing, part: Part): VisibleFrame {
  const { x, y, width, height } = part;
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const start = ((y + row) % lines) * cyclesPerLine * 8 + x;
    pixels.set(raster.subarray(start, start + width), row * width);
  }
  return { width, height, pixels };
}
