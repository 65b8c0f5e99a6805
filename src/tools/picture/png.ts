import type { Picture } from '../../machine/screen.ts';

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** A picture with a palette as a PNG, each pixel repeated `scale` times both ways. */
export async function encodePng(picture: Picture, scale: number): Promise<Uint8Array> {
  const width = picture.width * scale;
  const height = picture.height * scale;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 3, 0, 0, 0], 8);
  return concatenated([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', picture.palette),
    chunk('IDAT', await deflated(scanLines(picture, scale))),
    chunk('IEND', new Uint8Array()),
  ]);
}

/** The smallest whole factor that makes the short edge at least 400 pixels, within what models take. */
export function legibleScale({ width, height }: Picture): number {
  const wanted = Math.ceil(400 / Math.min(width, height));
  return Math.max(1, Math.min(wanted, Math.floor(1568 / Math.max(width, height))));
}

export function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

/** Each line begins with its filter, which is none. */
function scanLines({ width, height, pixels }: Picture, scale: number): Uint8Array {
  const stride = width * scale + 1;
  const lines = new Uint8Array(stride * height * scale);
  for (let y = 0; y < height; y++) {
    const first = y * scale * stride;
    for (let x = 0; x < width; x++)
      lines.fill(pixels[y * width + x] ?? 0, first + 1 + x * scale, first + 1 + (x + 1) * scale);
    for (let copy = 1; copy < scale; copy++) lines.copyWithin(first + copy * stride, first, first + stride);
  }
  return lines;
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
