import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** One byte a pixel into a palette of red, green, blue; or red, green, blue for each pixel. */
export type PngPicture = { readonly width: number; readonly height: number } & (
  | { readonly pixels: Uint8Array; readonly palette: Uint8Array }
  | { readonly rgb: Uint8Array }
);

const deflated: (bytes: Uint8Array) => Promise<Uint8Array> = promisify(deflate);

/** A picture as a PNG, each pixel repeated `scale` times both ways. */
export async function encodePng(picture: PngPicture, scale: number): Promise<Uint8Array> {
  const indexed = 'palette' in picture;
  const width = picture.width * scale;
  const height = picture.height * scale;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, indexed ? 3 : 2, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...(indexed ? [chunk('PLTE', picture.palette)] : []),
    chunk('IDAT', await deflated(scanLines(picture, scale))),
    chunk('IEND', new Uint8Array()),
  ]);
}

/** Each line begins with its filter, which is none. */
function scanLines(picture: PngPicture, scale: number): Uint8Array {
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

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
