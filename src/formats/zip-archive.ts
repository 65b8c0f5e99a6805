import { Readable } from 'node:stream';
import { createInflateRaw, inflateRawSync } from 'node:zlib';

export interface ZipLimits {
  readonly maxEntries: number;
  /** Of all files together, unpacked. */
  readonly maxBytes: number;
}

export interface ZipEntry {
  /** As in the archive, with slashes; ends in one for a directory. */
  readonly path: string;
  readonly stamp: number;
  readonly size: number;
}

/** `missing`, `encrypted`, `damaged`: of one file. `unusable`: the whole archive is. */
export type ZipFault = 'missing' | 'encrypted' | 'damaged' | 'unusable';

export class ZipError extends Error {
  override readonly name = 'ZipError';
  readonly fault: ZipFault;

  constructor(fault: ZipFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

interface Packed extends ZipEntry {
  readonly method: number;
  readonly encrypted: boolean;
  readonly packedSize: number;
  readonly offset: number;
}

/** The largest file that is unpacked when it is read; a larger one must have been unpacked before. */
export const mostAtOnce = 8 * 1024 * 1024;
const pieceBytes = 256 * 1024;

const endMark = 0x0605_4b50;
const entryMark = 0x0201_4b50;
const localMark = 0x0403_4b50;
const endBytes = 22;
const entryBytes = 46;
const localBytes = 30;

/** The files of a zip archive. Everything the archive says of itself is checked; one that lies gives an error, not a hang. */
export class ZipArchive {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #entries = new Map<string, Packed>();
  readonly #unpacked = new Map<string, Uint8Array>();

  constructor(bytes: Uint8Array, limits: ZipLimits) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = this.#findEnd();
    const count = this.#view.getUint16(end + 10, true);
    const start = this.#view.getUint32(end + 16, true);
    if (count > limits.maxEntries) throw badZip(`${count} entries, at most ${limits.maxEntries} are read`);
    let total = 0;
    let at = start;
    for (let i = 0; i < count; i++) {
      const { entry, next } = this.#readEntry(at);
      total += entry.size;
      if (total > limits.maxBytes) throw badZip(`unpacks to more than ${limits.maxBytes} bytes`);
      this.#entries.set(entry.path, entry);
      at = next;
    }
  }

  entries(): readonly ZipEntry[] {
    return [...this.#entries.values()];
  }

  /** Unpacks a file beside everything else, so that reading it later takes no time. */
  async unpack(path: string): Promise<void> {
    const { packed, size, method } = this.#packed(path);
    if (method !== 8) return;
    const bytes = new Uint8Array(size);
    let at = 0;
    try {
      for await (const piece of Readable.from([packed]).pipe(createInflateRaw({ chunkSize: pieceBytes }))) {
        if (at + piece.length > size) return;
        bytes.set(piece, at);
        at += piece.length;
      }
    } catch {
      // A damaged file is told when it is read.
      return;
    }
    if (at === size) this.#unpacked.set(path, bytes);
  }

  read(path: string): Uint8Array {
    const ready = this.#unpacked.get(path);
    if (ready) return ready;
    const { packed, size, method } = this.#packed(path);
    if (method === 0) return packed.slice();
    if (size > mostAtOnce) throw new ZipError('damaged', `${path} does not unpack to ${size} bytes`);
    return inflate(packed, size, path);
  }

  #packed(path: string): { readonly packed: Uint8Array; readonly size: number; readonly method: number } {
    const entry = this.#entries.get(path);
    if (entry === undefined) throw new ZipError('missing', `${path} is not in the archive`);
    if (entry.encrypted) throw new ZipError('encrypted', `${path} is encrypted`);
    const { offset, packedSize, size, method } = entry;
    if (offset + localBytes > this.#bytes.length || this.#view.getUint32(offset, true) !== localMark) {
      throw new ZipError('damaged', `${path} has no header where the archive says`);
    }
    const names = this.#view.getUint16(offset + 26, true) + this.#view.getUint16(offset + 28, true);
    const start = offset + localBytes + names;
    const packed = this.#bytes.subarray(start, start + packedSize);
    if (packed.length !== packedSize) throw new ZipError('damaged', `${path} is cut off`);
    if (method !== 8 && (method !== 0 || packedSize !== size)) {
      throw new ZipError('damaged', `${path} is packed by method ${method}`);
    }
    return { packed, size, method };
  }

  #findEnd(): number {
    const first = Math.max(0, this.#bytes.length - endBytes - 0xffff);
    for (let at = this.#bytes.length - endBytes; at >= first; at--) {
      if (this.#view.getUint32(at, true) === endMark) return at;
    }
    throw badZip('no end of a directory');
  }

  #readEntry(at: number): { entry: Packed; next: number } {
    if (at + entryBytes > this.#bytes.length || this.#view.getUint32(at, true) !== entryMark) {
      throw badZip('the directory is damaged');
    }
    const word = (offset: number) => this.#view.getUint16(at + offset, true);
    const long = (offset: number) => this.#view.getUint32(at + offset, true);
    const nameEnd = at + entryBytes + word(28);
    const name = this.#bytes.subarray(at + entryBytes, nameEnd);
    const entry = {
      path: decodeName(name, (word(8) & 0x800) !== 0),
      encrypted: (word(8) & 1) !== 0,
      method: word(10),
      stamp: ((word(14) << 16) | word(12)) >>> 0,
      packedSize: long(20),
      size: long(24),
      offset: long(42),
    };
    return { entry, next: nameEnd + word(30) + word(32) };
  }
}

function inflate(packed: Uint8Array, size: number, path: string): Uint8Array {
  if (size === 0) return new Uint8Array(0);
  try {
    const bytes = inflateRawSync(packed, { maxOutputLength: size });
    if (bytes.length === size) return new Uint8Array(bytes);
  } catch {
    // Damaged data and data that unpacks to more than its header says end alike.
  }
  throw new ZipError('damaged', `${path} does not unpack to ${size} bytes`);
}

function decodeName(bytes: Uint8Array, utf8: boolean): string {
  return new TextDecoder(utf8 ? 'utf-8' : 'latin1').decode(bytes);
}

function badZip(why: string): ZipError {
  return new ZipError('unusable', `not a usable zip file: ${why}`);
}
