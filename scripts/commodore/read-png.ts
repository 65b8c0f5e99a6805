import { inflateSync } from 'node:zlib';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel. */
  readonly rgb: Uint8Array;
}

const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Decodes a PNG without interlacing, up to 8 bits a channel. Transparency is ignored. */
export function readPng(file: Uint8Array): Picture {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let width = 0;
  let height = 0;
  let depth = 8;
  let kind = 2;
  let palette = new Uint8Array();
  const packed: Uint8Array[] = [];
  for (let at = 8; at < file.length; ) {
    const length = view.getUint32(at);
    const name = String.fromCharCode(...file.subarray(at + 4, at + 8));
    const body = file.subarray(at + 8, at + 8 + length);
    if (name === 'IHDR') {
      width = view.getUint32(at + 8);
      height = view.getUint32(at + 12);
      [depth = 8, kind = 2] = body.subarray(8);
      if (body[12] !== 0 || depth > 8) throw new Error('interlaced and 16-bit PNG files are not supported');
    } else if (name === 'PLTE') palette = new Uint8Array(body);
    else if (name === 'IDAT') packed.push(body);
    at += length + 12;
  }
  const channels = channelsOf[kind] ?? 1;
  const lines = unfilter(
    inflateSync(Buffer.concat(packed)),
    Math.ceil((width * channels * depth) / 8),
    height,
    channels,
    depth,
  );
  const rgb = new Uint8Array(width * height * 3);
  const stride = lines.length / height;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const out = (y * width + x) * 3;
      const sample = (channel: number) => sampleAt(lines, y * stride, (x * channels + channel) * depth, depth);
      for (let i = 0; i < 3; i += 1) {
        if (kind === 3) rgb[out + i] = palette[sample(0) * 3 + i] ?? 0;
        else if (channels >= 3) rgb[out + i] = sample(i);
        else rgb[out + i] = (sample(0) * 255) / ((1 << depth) - 1);
      }
    }
  }
  return { width, height, rgb };
}

function sampleAt(lines: Uint8Array, start: number, bit: number, depth: number): number {
  const byte = lines[start + (bit >> 3)] ?? 0;
  return (byte >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}

function unfilter(data: Uint8Array, stride: number, height: number, channels: number, depth: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  const step = Math.max(1, (channels * depth) >> 3);
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const raw = data[y * (stride + 1) + 1 + x] ?? 0;
      const left = x >= step ? (out[y * stride + x - step] ?? 0) : 0;
      const up = y > 0 ? (out[(y - 1) * stride + x] ?? 0) : 0;
      const upLeft = y > 0 && x >= step ? (out[(y - 1) * stride + x - step] ?? 0) : 0;
      out[y * stride + x] = raw + predict(filter, left, up, upLeft);
    }
  }
  return out;
}

function predict(filter: number, left: number, up: number, upLeft: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const estimate = left + up - upLeft;
      const [byLeft, byUp, byCorner] = [left, up, upLeft].map((value) => Math.abs(estimate - value)) as [
        number,
        number,
        number,
      ];
      if (byLeft <= byUp && byLeft <= byCorner) return left;
      return byUp <= byCorner ? up : upLeft;
    }
    default:
      return 0;
  }
}
