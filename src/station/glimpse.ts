import type { Glimpse } from '../api/watch.ts';
import type { Machine } from '../machine/machine.ts';
import type { Picture } from '../machine/screen.ts';

const widest = 192;
const shownLines = 12;

/** A machine in small: its picture, or the last lines of its console. */
export async function glimpse({ screen, console }: Machine): Promise<Glimpse | undefined> {
  const picture = await screen?.picture().catch(() => undefined);
  if (picture) {
    const { width, height } = picture;
    const step = Math.max(1, Math.ceil(width / widest));
    const small = { width: Math.floor(width / step), height: Math.floor(height / step) };
    return { picture: { ...small, palette: new Uint8Array(), pixels: shrunk(picture, step, small) } };
  }
  const [port] = console?.ports ?? [];
  if (!port) return undefined;
  const { styled } = await port.screen.readStyled(Number.MAX_SAFE_INTEGER);
  const lines = styled.map((pieces) =>
    pieces
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );
  const last = lines.findLastIndex((line) => line !== '') + 1;
  return { lines: lines.slice(Math.max(0, last - shownLines), last) };
}

/** Red, green and blue of squares of pixels, the mean of each: letters stay legible. */
function shrunk(picture: Picture, step: number, { width, height }: { width: number; height: number }): Uint8Array {
  const { colours, at } =
    'pixels' in picture ? indexed(picture) : { colours: picture.rgb, at: (pixel: number) => pixel * 3 };
  const pixels = new Uint8Array(width * height * 3);
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
      pixels[to] = red / count;
      pixels[to + 1] = green / count;
      pixels[to + 2] = blue / count;
    }
  }
  return pixels;
}

function indexed({ palette, pixels }: { palette: Uint8Array; pixels: Uint8Array }) {
  return { colours: palette, at: (pixel: number) => (pixels[pixel] ?? 0) * 3 };
}
