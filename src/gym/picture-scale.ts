import type { Picture } from '../machine/screen.ts';
import type { PixelSpec } from './vector-spec.ts';

interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Makes pictures of any size into observations of one size: each pixel is the mean of those it covers. */
export class PictureScale {
  readonly #spec: PixelSpec;
  readonly #channels: number;
  #columns: Int32Array = new Int32Array();
  #rows: Int32Array = new Int32Array();
  #sums = new Float64Array();
  #of = '';

  constructor(spec: PixelSpec) {
    this.#spec = spec;
    this.#channels = spec.grey ? 1 : 3;
  }

  draw(picture: Picture, window: Part | undefined, into: Uint8Array): void {
    const { width, height } = picture;
    const part = (this.#spec.window ? window : undefined) ?? { x: 0, y: 0, width, height };
    this.#measure(part);
    if ('rgb' in picture) this.#drawColours(picture.rgb, width, part, into);
    else this.#drawIndexed(picture.pixels, width, part, coloursOf(picture.palette, this.#spec.grey), into);
  }

  #measure({ width, height }: Part): void {
    const key = `${width}x${height}`;
    if (this.#of === key) return;
    this.#of = key;
    this.#columns = edges(width, this.#spec.width);
    this.#rows = edges(height, this.#spec.height);
    this.#sums = new Float64Array(this.#spec.width * this.#channels);
  }

  #drawIndexed(pixels: Uint8Array, stride: number, { x, y }: Part, colours: Float64Array, into: Uint8Array): void {
    const [rows, sums, channels] = [this.#rows, this.#sums, this.#channels];
    for (let row = 0; row < this.#spec.height; row += 1) {
      sums.fill(0);
      const [first, last] = [rows[row * 2] ?? 0, rows[row * 2 + 1] ?? 0];
      for (let line = first; line < last; line += 1) {
        const start = (y + line) * stride + x;
        for (let channel = 0; channel < channels; channel += 1) this.#addLine(pixels, start, colours, channel);
      }
      this.#finish(row, last - first, into);
    }
  }

  /** The inner loop of all: every pixel of every picture comes through it. */
  #addLine(pixels: Uint8Array, start: number, colours: Float64Array, channel: number): void {
    const [columns, sums, channels] = [this.#columns, this.#sums, this.#channels];
    const width = this.#spec.width;
    for (let column = 0, place = channel; column < width; column += 1, place += channels) {
      const end = start + (columns[column * 2 + 1] as number);
      let sum = sums[place] as number;
      for (let at = start + (columns[column * 2] as number); at < end; at += 1) {
        sum += colours[(pixels[at] as number) * channels + channel] ?? 0;
      }
      sums[place] = sum;
    }
  }

  #drawColours(rgb: Uint8Array, stride: number, { x, y }: Part, into: Uint8Array): void {
    const [columns, rows, sums, channels] = [this.#columns, this.#rows, this.#sums, this.#channels];
    for (let row = 0; row < this.#spec.height; row += 1) {
      sums.fill(0);
      const [first, last] = [rows[row * 2] ?? 0, rows[row * 2 + 1] ?? 0];
      for (let line = first; line < last; line += 1) {
        for (let column = 0; column < this.#spec.width; column += 1) {
          for (let at = columns[column * 2] ?? 0; at < (columns[column * 2 + 1] ?? 0); at += 1) {
            const place = ((y + line) * stride + x + at) * 3;
            const [red = 0, green = 0, blue = 0] = rgb.subarray(place, place + 3);
            if (channels === 1) sums[column] = (sums[column] ?? 0) + grey(red, green, blue);
            else {
              sums[column * 3] = (sums[column * 3] ?? 0) + red;
              sums[column * 3 + 1] = (sums[column * 3 + 1] ?? 0) + green;
              sums[column * 3 + 2] = (sums[column * 3 + 2] ?? 0) + blue;
            }
          }
        }
      }
      this.#finish(row, last - first, into);
    }
  }

  #finish(row: number, lines: number, into: Uint8Array): void {
    const channels = this.#channels;
    for (let column = 0; column < this.#spec.width; column += 1) {
      const count = lines * ((this.#columns[column * 2 + 1] ?? 0) - (this.#columns[column * 2] ?? 0));
      for (let channel = 0; channel < channels; channel += 1) {
        const place = column * channels + channel;
        into[row * this.#spec.width * channels + place] = Math.round((this.#sums[place] ?? 0) / count);
      }
    }
  }
}

/** For each of `count` pieces of a length where it begins and ends; at least one long, so that pictures can be enlarged. */
function edges(length: number, count: number): Int32Array {
  return Int32Array.from({ length: count * 2 }, (_, index) => {
    const first = Math.floor(((index >> 1) * length) / count);
    return index % 2 === 0 ? first : Math.max(first + 1, Math.floor((((index >> 1) + 1) * length) / count));
  });
}

const knownColours = new WeakMap<Uint8Array, Map<boolean, Float64Array>>();

/** Palettes that stay are worked out once; a machine that changes one makes a new one. */
function coloursOf(palette: Uint8Array, isGrey: boolean): Float64Array {
  const known = knownColours.get(palette) ?? new Map<boolean, Float64Array>();
  knownColours.set(palette, known);
  const found = known.get(isGrey);
  if (found) return found;
  const colours = isGrey
    ? Float64Array.from({ length: palette.length / 3 }, (_, index) =>
        grey(palette[index * 3] ?? 0, palette[index * 3 + 1] ?? 0, palette[index * 3 + 2] ?? 0),
      )
    : Float64Array.from(palette);
  known.set(isGrey, colours);
  return colours;
}

function grey(red: number, green: number, blue: number): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}
