import { crc32, inflateSync } from 'node:zlib';

export interface DecodedPng {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Decodes a PNG with a palette and no filters, checking what a viewer checks. */
export function decodePng(base64: string): DecodedPng {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.subarray(0, 8).toString('latin1') !== '\x89PNG\r\n\x1a\n') throw new Error('no PNG');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const checked = bytes.subarray(at + 4, at + 8 + length);
    if (crc32(checked) !== bytes.readUInt32BE(at + 8 + length)) throw new Error('wrong checksum');
    chunks.set(checked.subarray(0, 4).toString('latin1'), checked.subarray(4));
    at += length + 12;
  }
  const header = chunks.get('IHDR') ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const lines = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  if (header[9] !== 3 || lines.length !== (width + 1) * height || !chunks.has('IEND')) throw new Error('wrong size');
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) pixels.set(lines.subarray(y * (width + 1) + 1, (y + 1) * (width + 1)), y * width);
  return { width, height, pixels };
}
