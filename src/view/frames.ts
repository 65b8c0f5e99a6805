import type { PagePicture, PageSound } from './channel.ts';

/** What is large comes as a binary frame: its sort, its number (32 bits, little endian), then what its sort says. */
export type Frame =
  | ({ readonly type: 'band' } & PictureBand)
  | ({ readonly type: 'sound' } & PageSound)
  /** A `PageEvent` as JSON, deflated. */
  | { readonly type: 'event'; readonly deflated: Uint8Array };

/** Some rows of a picture. Their pixels are what has changed since the picture before: XOR, then deflated. */
export interface PictureBand {
  readonly width: number;
  readonly height: number;
  /** Bytes a pixel has: one, into the palette, or three. */
  readonly depth: 1 | 3;
  /** There was no picture before this one: begin with zeros. */
  readonly isFirst: boolean;
  /** With this band the picture is whole. */
  readonly isLast: boolean;
  readonly row: number;
  /** Empty: as it was. */
  readonly palette: Uint8Array;
  readonly deflated: Uint8Array;
}

const bandSort = 1;
const soundSort = 2;
const eventSort = 3;
const headBytes = 5;
const bandBytes = headBytes + 9;
const flagBits = { first: 1, last: 2, trueColour: 4 } as const;

/** Width, height and first row (16 bits each), flags, number of colours (16 bits), RGB of each, what has changed. */
export function encodeBand(seq: number, band: PictureBand): Uint8Array {
  const { width, height, row, palette, deflated } = band;
  const bytes = new Uint8Array(bandBytes + palette.length + deflated.length);
  const view = begin(bytes, bandSort, seq);
  view.setUint16(headBytes, width, true);
  view.setUint16(headBytes + 2, height, true);
  view.setUint16(headBytes + 4, row, true);
  bytes[headBytes + 6] =
    (band.isFirst ? flagBits.first : 0) |
    (band.isLast ? flagBits.last : 0) |
    (band.depth === 3 ? flagBits.trueColour : 0);
  view.setUint16(headBytes + 7, palette.length / 3, true);
  bytes.set(palette, bandBytes);
  bytes.set(deflated, bandBytes + palette.length);
  return bytes;
}

/** Samples a second (32 bits), then the samples (16 bits each). */
export function encodeSound(seq: number, { sampleRate, samples }: PageSound): Uint8Array {
  const bytes = new Uint8Array(headBytes + 4 + samples.length * 2);
  const view = begin(bytes, soundSort, seq);
  view.setUint32(headBytes, sampleRate, true);
  for (const [index, sample] of samples.entries()) view.setInt16(headBytes + 4 + index * 2, sample, true);
  return bytes;
}

export function encodeEvent(seq: number, deflated: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(headBytes + deflated.length);
  begin(bytes, eventSort, seq);
  bytes.set(deflated, headBytes);
  return bytes;
}

export function decodeFrame(bytes: Uint8Array): { readonly seq: number; readonly frame: Frame } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const seq = view.getUint32(1, true);
  switch (bytes[0]) {
    case bandSort:
      return { seq, frame: { type: 'band', ...decodeBand(bytes, view) } };
    case soundSort:
      return { seq, frame: { type: 'sound', ...decodeSound(view) } };
    case eventSort:
      return { seq, frame: { type: 'event', deflated: bytes.subarray(headBytes) } };
    default:
      throw new Error(`no frame begins with ${bytes[0]}`);
  }
}

/** Puts what a band says onto the picture before it; both are changed. `difference` is its content, inflated. */
export function applyBand(
  before: PagePicture | undefined,
  band: Omit<PictureBand, 'deflated'>,
  difference: Uint8Array,
): PagePicture {
  const { width, height, depth, isFirst, row } = band;
  const bytes = width * height * depth;
  const pixels = !isFirst && before?.pixels.length === bytes ? before.pixels : new Uint8Array(bytes);
  const palette = band.palette.length > 0 || depth === 3 ? band.palette : (before?.palette ?? band.palette);
  const start = row * width * depth;
  const length = Math.min(difference.length, bytes - start);
  xorInto(pixels.subarray(start, start + length), difference.subarray(0, length));
  return { width, height, palette, pixels };
}

/** Four bytes at once where both begin at such a border: pictures are large. */
export function xorInto(target: Uint8Array, mask: Uint8Array): void {
  const { length } = target;
  const isAligned = target.byteOffset % 4 === 0 && mask.byteOffset % 4 === 0;
  const words = isAligned ? length >> 2 : 0;
  const targetWords = new Int32Array(target.buffer, isAligned ? target.byteOffset : 0, words);
  const maskWords = new Int32Array(mask.buffer, isAligned ? mask.byteOffset : 0, words);
  for (let at = 0; at < words; at++) targetWords[at] = (targetWords[at] ?? 0) ^ (maskWords[at] ?? 0);
  for (let at = words * 4; at < length; at++) target[at] = (target[at] ?? 0) ^ (mask[at] ?? 0);
}

function begin(bytes: Uint8Array, sort: number, seq: number): DataView {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  bytes[0] = sort;
  view.setUint32(1, seq, true);
  return view;
}

function decodeBand(bytes: Uint8Array, view: DataView): PictureBand {
  const flags = bytes[headBytes + 6] ?? 0;
  const pixelsAt = bandBytes + view.getUint16(headBytes + 7, true) * 3;
  return {
    width: view.getUint16(headBytes, true),
    height: view.getUint16(headBytes + 2, true),
    row: view.getUint16(headBytes + 4, true),
    depth: flags & flagBits.trueColour ? 3 : 1,
    isFirst: (flags & flagBits.first) !== 0,
    isLast: (flags & flagBits.last) !== 0,
    palette: bytes.slice(bandBytes, pixelsAt),
    deflated: bytes.subarray(pixelsAt),
  };
}

function decodeSound(view: DataView): PageSound {
  const at = headBytes + 4;
  const samples = Int16Array.from({ length: (view.byteLength - at) >> 1 }, (_, index) =>
    view.getInt16(at + index * 2, true),
  );
  return { sampleRate: view.getUint32(headBytes, true), samples };
}
