import { DosError } from '../../drives/dos-error.ts';

/** A program file taken apart. Segments are relative to where the image is loaded. */
export type ProgramImage = ComImage | ExeImage;

export interface ComImage {
  readonly type: 'com';
  readonly bytes: Uint8Array;
}

export interface ExeImage {
  readonly type: 'exe';
  readonly bytes: Uint8Array;
  /** Paragraphs wanted after the image. */
  readonly minExtra: number;
  readonly maxExtra: number;
  readonly ss: number;
  readonly sp: number;
  readonly cs: number;
  readonly ip: number;
  /** Places in the image whose word is a segment. */
  readonly relocations: readonly number[];
}

const headerBytes = 0x1c;
const pageBytes = 512;

/** The signature decides, not the name. */
export function parseProgram(file: Uint8Array): ProgramImage {
  const signature = file.length >= headerBytes ? (file[0] ?? 0) | ((file[1] ?? 0) << 8) : 0;
  return signature === 0x5a4d || signature === 0x4d5a ? parseExe(file) : { type: 'com', bytes: file };
}

function parseExe(file: Uint8Array): ExeImage {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const word = (offset: number) => view.getUint16(offset, true);
  const header = word(8) * 16;
  const pages = word(4);
  const lastPage = word(2) & 0x1ff;
  const end = Math.min(file.length, pages * pageBytes - (lastPage === 0 ? 0 : pageBytes - lastPage));
  if (end < header || header > file.length) throw new DosError('invalidFormat');
  const table = word(0x18);
  const relocations: number[] = [];
  for (let i = 0; i < word(6); i++) {
    const entry = table + i * 4;
    if (entry + 4 > file.length) throw new DosError('invalidFormat');
    relocations.push(((word(entry + 2) << 4) + word(entry)) & 0xf_ffff);
  }
  return {
    type: 'exe',
    bytes: file.subarray(header, end),
    minExtra: word(0x0a),
    maxExtra: word(0x0c),
    ss: word(0x0e),
    sp: word(0x10),
    ip: word(0x14),
    cs: word(0x16),
    relocations,
  };
}

/** Made by EXEPACK, whose unpacker counts on segments that wrap at 1 MiB and fails below 64 KiB when they do not. */
export function isPacked({ bytes, cs, ip }: ExeImage): boolean {
  const mark = cs * 16 + ip - 2;
  return bytes[mark] === 0x52 && bytes[mark + 1] === 0x42;
}

/** The image as it lies in memory when loaded at this segment. Relocations outside it are ignored. */
export function relocated(image: ExeImage, segment: number): Uint8Array {
  const bytes = image.bytes.slice();
  const view = new DataView(bytes.buffer);
  for (const place of image.relocations) {
    if (place + 2 <= bytes.length) view.setUint16(place, (view.getUint16(place, true) + segment) & 0xffff, true);
  }
  return bytes;
}
