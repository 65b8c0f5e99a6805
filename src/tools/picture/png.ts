import type { IndexedPicture, Picture, TrueColourPicture } from '../../machine/screen.ts';

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** A picture as a PNG, each pixel repeated `scale` times both ways. */
export async function encodePng(picture: Picture, scale: number): Promise<Uint8Array> {
  const indexed = 'palette' in picture;
  const width = picture.width * scale;
  const height = picture.height * scale;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, indexed ? 3 : 2, 0, 0, 0], 8);
  return concatenated([
    signature,
    chunk('IHDR', header),
    ...(indexed ? [chunk('PLTE', picture.palette)] : []),
    chunk('IDAT', await deflated(scanLines(picture, scale))),
    chunk('IEND', new Uint8Array()),
  ]);
}

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

export function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

/** Each line begins with its filter, which is none. */
function scanLines(picture: Picture, scale: number): Uint8Array {
  const { width, height } = picture;
  const [bytes, size] = 'rgb' in picture ? [picture.rgb, 3] : [picture.pixels, 1];
  const stride = width * scale * size + 1;
  const lines = new Uint8Array(stride * height * scale);
  for (let y = 0; y < height; y++) {
    const first = y * scale * stride;
    const row = bytes.subarray(y * width * size, (y + 1) * width * size);
    if (scale === 1) lines.set(row, first + 1);
    else repeatPixels(row, size, scale, lines.subarray(first + 1, first + stride));
    for (let copy = 1; copy < scale; copy++) lines.copyWithin(first + copy * stride, first, first + stride);
  }
  return lines;
}

function repeatPixels(row: Uint8Array, size: number, scale: number, into: Uint8Array): void {
  let at = 0;
  for (let pixel = 0; pixel < row.length; pixel += size) {
    for (let copy = 0; copy < scale; copy++) {
      for (let byte = 0; byte < size; byte++) into[at++] = row[pixel + byte] ?? 0;
    }
  }
}

async function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

function crc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (crcTable[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
