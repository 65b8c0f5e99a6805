import type { Picture } from '../machine/screen.ts';
import type { PixelSpec } from './vector-spec.ts';

/** Brightness is counted in thousandths. */
const WHOLE = 1000;

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
  #lineSums = new Int32Array();
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
    this.#lineSums = new Int32Array(this.#sums.length);
  }

  #drawIndexed(pixels: Uint8Array, stride: number, part: Part, colours: Int32Array, into: Uint8Array): void {
    const { x, y, width } = part;
    const [rows, columns, channels] = [this.#rows, this.#columns, this.#channels];
    const [sums, lineSums] = [this.#sums, this.#lineSums];
    const tables = Array.from({ length: channels }, (_, channel) =>
      colours.subarray(channel * 256, channel * 256 + 256),
    );
    const words = wordsOf(pixels, stride, x, width);
    const isLike = (one: number, other: number) =>
      words !== undefined && isSame(words, one >> 2, other >> 2, width >> 2);
    let added = -1;
    /** All lines of the row above are the one that was added last. */
    let isPlainAbove = false;
    for (let row = 0; row < this.#spec.height; row += 1) {
      const [first, last] = [rows[row * 2] ?? 0, rows[row * 2 + 1] ?? 0];
      let isPlain = true;
      let isLikeAbove = isPlainAbove;
      let repeated = 0;
      for (let line = first; line < last; line += 1) {
        const start = (y + line) * stride + x;
        if (added < 0 || !isLike(added, start)) {
          if (repeated > 0) {
            if (isPlain) sums.fill(0);
            isPlain = false;
            addTimes(sums, lineSums, repeated);
          }
          for (let channel = 0; channel < channels; channel += 1) {
            const table = tables[channel] as Int32Array;
            if (words) addPlainLine(pixels, words, start, width, columns, table, lineSums, channel, channels);
            else addLine(pixels, start, columns, table, lineSums, channel, channels);
          }
          added = start;
          isLikeAbove = false;
          repeated = 0;
        }
        repeated += 1;
      }
      if (isLikeAbove) into.copyWithin(row * sums.length, (row - 1) * sums.length, row * sums.length);
      else if (isPlain) this.#finish(row, 1, lineSums, into);
      else {
        addTimes(sums, lineSums, repeated);
        this.#finish(row, last - first, sums, into);
      }
      isPlainAbove = isPlain;
    }
  }

  #drawColours(rgb: Uint8Array, stride: number, { x, y }: Part, into: Uint8Array): void {
    const [columns, rows, sums] = [this.#columns, this.#rows, this.#sums];
    for (let row = 0; row < this.#spec.height; row += 1) {
      sums.fill(0);
      const [first, last] = [rows[row * 2] ?? 0, rows[row * 2 + 1] ?? 0];
      for (let line = first; line < last; line += 1) {
        const start = (y + line) * stride + x;
        if (this.#channels === 1) addGreyLine(rgb, start, columns, sums);
        else addColourLine(rgb, start, columns, sums);
      }
      this.#finish(row, last - first, sums, into);
    }
  }

  #finish(row: number, lines: number, sums: Float64Array | Int32Array, into: Uint8Array): void {
    const [columns, channels] = [this.#columns, this.#channels];
    let out = row * sums.length;
    for (let edge = 0, place = 0; edge < columns.length; edge += 2) {
      const whole = lines * ((columns[edge + 1] as number) - (columns[edge] as number)) * WHOLE;
      for (let channel = 0; channel < channels; channel += 1) {
        // `whole` is even and nothing is below 0: this is Math.round() of the quotient.
        into[out++] = ((sums[place++] as number) + whole / 2) / whole;
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

/** The pixels four at a time, where lines begin and end at words. */
function wordsOf(pixels: Uint8Array, stride: number, x: number, width: number): Int32Array | undefined {
  if (((pixels.byteOffset | stride | x | width) & 3) !== 0) return;
  return new Int32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2);
}

/** In most pictures many a line is like the one above it. */
function isSame(words: Int32Array, one: number, other: number, count: number): boolean {
  for (let word = 0; word < count; word += 1) if (words[one + word] !== words[other + word]) return false;
  return true;
}

function addTimes(sums: Float64Array, lineSums: Int32Array, times: number): void {
  for (let place = 0; place < sums.length; place += 1) {
    sums[place] = (sums[place] as number) + times * (lineSums[place] as number);
  }
}

/** As `addLine`, with columns that lie in a stretch of one colour not looked at pixel by pixel. */
function addPlainLine(
  pixels: Uint8Array,
  words: Int32Array,
  start: number,
  width: number,
  columns: Int32Array,
  colours: Int32Array,
  sums: Int32Array,
  channel: number,
  channels: number,
): void {
  const firstWord = start >> 2;
  const endWord = firstWord + (width >> 2);
  /** Up to here from the column before on all pixels have this colour. */
  let plainEnd = 0;
  let plain = 0;
  for (let edge = 0, place = channel; edge < columns.length; edge += 2, place += channels) {
    const first = columns[edge] as number;
    const end = columns[edge + 1] as number;
    if (end > plainEnd) {
      let at = firstWord + (first >> 2);
      const word = words[at] as number;
      if (word === ((word << 8) | (word >>> 24))) {
        do at += 1;
        while (at < endWord && words[at] === word);
        plainEnd = (at - firstWord) << 2;
        plain = colours[word & 0xff] as number;
      }
    }
    if (end <= plainEnd) {
      sums[place] = (end - first) * plain;
      continue;
    }
    sums[place] = sumOf(pixels, start + first, start + end, colours);
  }
}

/** Pixel by pixel. */
function addLine(
  pixels: Uint8Array,
  start: number,
  columns: Int32Array,
  colours: Int32Array,
  sums: Int32Array,
  channel: number,
  channels: number,
): void {
  for (let edge = 0, place = channel; edge < columns.length; edge += 2, place += channels) {
    sums[place] = sumOf(pixels, start + (columns[edge] as number), start + (columns[edge + 1] as number), colours);
  }
}

function sumOf(pixels: Uint8Array, first: number, end: number, colours: Int32Array): number {
  let sum = 0;
  for (let at = first; at < end; at += 1) sum = (sum + (colours[pixels[at] as number] as number)) | 0;
  return sum;
}

function addGreyLine(rgb: Uint8Array, start: number, columns: Int32Array, sums: Float64Array): void {
  for (let edge = 0; edge < columns.length; edge += 2) {
    const end = (start + (columns[edge + 1] as number)) * 3;
    let sum = sums[edge >> 1] as number;
    for (let at = (start + (columns[edge] as number)) * 3; at < end; at += 3) {
      sum += grey(rgb[at] as number, rgb[at + 1] as number, rgb[at + 2] as number);
    }
    sums[edge >> 1] = sum;
  }
}

function addColourLine(rgb: Uint8Array, start: number, columns: Int32Array, sums: Float64Array): void {
  for (let edge = 0, place = 0; edge < columns.length; edge += 2, place += 3) {
    const end = (start + (columns[edge + 1] as number)) * 3;
    for (let at = (start + (columns[edge] as number)) * 3; at < end; at += 3) {
      sums[place] = (sums[place] as number) + (rgb[at] as number) * WHOLE;
      sums[place + 1] = (sums[place + 1] as number) + (rgb[at + 1] as number) * WHOLE;
      sums[place + 2] = (sums[place + 2] as number) + (rgb[at + 2] as number) * WHOLE;
    }
  }
}

const knownColours = new WeakMap<Uint8Array, Map<boolean, Int32Array>>();

/** A table of 256 for each channel. Palettes that stay are worked out once; a machine that changes one makes a new one. */
function coloursOf(palette: Uint8Array, isGrey: boolean): Int32Array {
  const known = knownColours.get(palette) ?? new Map<boolean, Int32Array>();
  knownColours.set(palette, known);
  const found = known.get(isGrey);
  if (found) return found;
  const colours = new Int32Array(256 * (isGrey ? 1 : 3));
  for (let color = 0; color < palette.length / 3; color += 1) {
    const [red = 0, green = 0, blue = 0] = palette.subarray(color * 3);
    if (isGrey) colours[color] = grey(red, green, blue);
    else for (const [channel, value] of [red, green, blue].entries()) colours[channel * 256 + color] = value * WHOLE;
  }
  known.set(isGrey, colours);
  return colours;
}

/** In thousandths, so that sums are exact. */
function grey(red: number, green: number, blue: number): number {
  return 299 * red + 587 * green + 114 * blue;
}
