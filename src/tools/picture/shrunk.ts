import type { Picture } from '../../machine/screen.ts';

/** Red, green and blue in one number, each with room for the sum of a few. */
const colourBits = 10;
const oneColour = 1 << colourBits;

/** A picture in small: red, green and blue of squares of pixels, the mean of each, so that letters stay legible. */
export function shrunk(picture: Picture, widest: number): { width: number; height: number; rgb: Uint8Array } {
  const step = Math.max(1, Math.ceil(picture.width / widest));
  const pixels = 'pixels' in picture ? picture.pixels : undefined;
  const colours = 'pixels' in picture ? picture.palette : picture.rgb;
  const [width, height] = [Math.floor(picture.width / step), Math.floor(picture.height / step)];
  const rgb = new Uint8Array(width * height * 3);
  const count = step * step;
  if (pixels && count * 255 < oneColour) {
    addUp(pixels, picture.width, packed(colours), step, rgb);
    return { width, height, rgb };
  }
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += 3) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let row = y * step; row < (y + 1) * step; row++) {
        const start = row * picture.width + x * step;
        for (let pixel = start; pixel < start + step; pixel++) {
          const from = (pixels ? (pixels[pixel] ?? 0) : pixel) * 3;
          red += colours[from] ?? 0;
          green += colours[from + 1] ?? 0;
          blue += colours[from + 2] ?? 0;
        }
      }
      rgb[to] = red / count;
      rgb[to + 1] = green / count;
      rgb[to + 2] = blue / count;
    }
  }
  return { width, height, rgb };
}

function packed(palette: Uint8Array): Uint32Array {
  const colours = new Uint32Array(256);
  for (let index = 0, from = 0; from + 2 < palette.length && index < 256; index++, from += 3) {
    const [red = 0, green = 0, blue = 0] = palette.subarray(from, from + 3);
    colours[index] = red | (green << colourBits) | (blue << (2 * colourBits));
  }
  return colours;
}

/** The same for one byte a pixel and small squares: one sum instead of three. */
function addUp(pixels: Uint8Array, across: number, colours: Uint32Array, step: number, rgb: Uint8Array): void {
  const count = step * step;
  const line = Math.floor(across / step) * 3;
  for (let top = 0, to = 0; to < rgb.length; top += step * across) {
    let start = top;
    for (const end = to + line; to < end; start += step, to += 3) {
      let sum = 0;
      for (let row = start; row < start + step * across; row += across) {
        for (let pixel = row; pixel < row + step; pixel++) sum += colours[pixels[pixel] ?? 0] ?? 0;
      }
      rgb[to] = (sum & (oneColour - 1)) / count;
      rgb[to + 1] = ((sum >> colourBits) & (oneColour - 1)) / count;
      rgb[to + 2] = (sum >> (2 * colourBits)) / count;
    }
  }
}
