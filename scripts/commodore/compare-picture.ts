import { peptoPal } from '../../src/chips/vic2/palette.ts';
import type { Picture } from './read-png.ts';

/** How many pixels of a frame of palette indexes differ from a reference; a text says why none could be compared. */
export function differingPixels(
  frame: { readonly width: number; readonly height: number; readonly pixels: Uint8Array },
  reference: Picture,
): number | string {
  if (frame.width !== reference.width || frame.height !== reference.height)
    return `reference is ${reference.width} x ${reference.height}`;
  const nearest = new Map<number, number>();
  let different = 0;
  for (let i = 0; i < frame.pixels.length; i += 1) {
    const [red = 0, green = 0, blue = 0] = reference.rgb.subarray(i * 3, i * 3 + 3);
    const rgb = (red << 16) | (green << 8) | blue;
    let color = nearest.get(rgb);
    if (color === undefined) {
      color = nearestColor(red, green, blue);
      nearest.set(rgb, color);
    }
    if (frame.pixels[i] !== color) different += 1;
  }
  return different;
}

function nearestColor(red: number, green: number, blue: number): number {
  const distances = peptoPal.map(
    (rgb) => (((rgb >> 16) & 255) - red) ** 2 + (((rgb >> 8) & 255) - green) ** 2 + ((rgb & 255) - blue) ** 2,
  );
  return distances.indexOf(Math.min(...distances));
}
