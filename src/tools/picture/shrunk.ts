import type { Picture } from '../../machine/screen.ts';

/** A picture in small: red, green and blue of squares of pixels, the mean of each, so that letters stay legible. */
export function shrunk(picture: Picture, widest: number): { width: number; height: number; rgb: Uint8Array } {
  const step = Math.max(1, Math.ceil(picture.width / widest));
  const { colours, at } =
    'pixels' in picture ? indexed(picture) : { colours: picture.rgb, at: (pixel: number) => pixel * 3 };
  const [width, height] = [Math.floor(picture.width / step), Math.floor(picture.height / step)];
  const rgb = new Uint8Array(width * height * 3);
  const count = step * step;
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += 3) {
      let [red, green, blue] = [0, 0, 0];
      for (let part = 0; part < count; part++) {
        const row = y * step + Math.floor(part / step);
        const from = at(row * picture.width + x * step + (part % step));
        red += colours[from] ?? 0;
        green += colours[from + 1] ?? 0;
        blue += colours[from + 2] ?? 0;
      }
      rgb[to] = red / count;
      rgb[to + 1] = green / count;
      rgb[to + 2] = blue / count;
    }
  }
  return { width, height, rgb };
}

function indexed({ palette, pixels }: { palette: Uint8Array; pixels: Uint8Array }) {
  return { colours: palette, at: (pixel: number) => (pixels[pixel] ?? 0) * 3 };
}
