import type { IndexedPicture, Picture, TrueColourPicture } from '../../machine/screen.ts';

/** The long edge that models take without shrinking it themselves. */
const mostPixels = 1568;

/** The smallest whole factor that makes the short edge at least 400 pixels, within what models take. */
export function legibleScale({ width, height }: { readonly width: number; readonly height: number }): number {
  const wanted = Math.ceil(400 / Math.min(width, height));
  return Math.max(1, Math.min(wanted, Math.floor(mostPixels / Math.max(width, height))));
}

/** The smallest whole number to divide both edges by so that models take the picture. */
export function shrinkFactor({ width, height }: { readonly width: number; readonly height: number }): number {
  return Math.max(1, Math.ceil(Math.max(width, height) / mostPixels));
}

/** Each square of `factor` by `factor` pixels as their mean colour. */
export function shrink(picture: Picture, factor: number): TrueColourPicture {
  const width = Math.floor(picture.width / factor);
  const height = Math.floor(picture.height / factor);
  const source = 'rgb' in picture ? picture.rgb : trueColours(picture);
  const rgb = new Uint8Array(width * height * 3);
  for (let at = 0; at < rgb.length; at++) {
    const pixel = Math.floor(at / 3);
    const x = (pixel % width) * factor;
    const y = Math.floor(pixel / width) * factor;
    let sum = 0;
    for (let dy = 0; dy < factor; dy++) {
      for (let dx = 0; dx < factor; dx++) sum += source[((y + dy) * picture.width + x + dx) * 3 + (at % 3)] ?? 0;
    }
    rgb[at] = Math.round(sum / (factor * factor));
  }
  return { width, height, rgb };
}

function trueColours({ pixels, palette }: IndexedPicture): Uint8Array {
  const rgb = new Uint8Array(pixels.length * 3);
  for (const [index, pixel] of pixels.entries()) rgb.set(palette.subarray(pixel * 3, pixel * 3 + 3), index * 3);
  return rgb;
}
