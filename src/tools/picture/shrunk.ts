import type { Picture } from '../../machine/screen.ts';

/** A picture in small: red, green and blue of squares of pixels, the mean of each, so that letters stay legible. */
export function shrunk(picture: Picture, widest: number): { width: number; height: number; rgb: Uint8Array } {
  const step = Math.max(1, Math.ceil(picture.width / widest));
  const pixels = 'pixels' in picture ? picture.pixels : undefined;
  const colours = 'pixels' in picture ? picture.palette : picture.rgb;
  const [width, height] = [Math.floor(picture.width / step), Math.floor(picture.height / step)];
  const rgb = new Uint8Array(width * height * 3);
  const count = step * step;
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
