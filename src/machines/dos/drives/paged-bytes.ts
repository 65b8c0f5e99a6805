const pageBytes = 16_384;

/** Where bytes come from that have not been changed. */
export interface ByteSource {
  readonly length: number;
  /** Not to be changed by the caller. Shorter than asked at the end. */
  read(position: number, length: number): Uint8Array;
}

/** Counts what contents have taken so far, given back or not. */
export interface CopyCount {
  bytes: number;
}

/** Bytes of a file or disk that are saved by sharing: a page is copied when it is changed after that. Zeros after the end. */
export class PagedBytes {
  #source: ByteSource;
  readonly #copied: CopyCount;
  /** Where they differ from the source. */
  #pages: (Uint8Array | undefined)[];
  /** Pages that nobody else has. */
  #own = new Set<number>();

  constructor(source: ByteSource, copied: CopyCount, pages: (Uint8Array | undefined)[] = []) {
    this.#source = source;
    this.#copied = copied;
    this.#pages = pages;
  }

  read(position: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let at = position; at < position + length; ) {
      const number = Math.floor(at / pageBytes);
      const end = Math.min(position + length, (number + 1) * pageBytes);
      const page = this.#pages[number];
      const first = number * pageBytes;
      bytes.set(page?.subarray(at - first, end - first) ?? this.#source.read(at, end - at), at - position);
      at = end;
    }
    return bytes;
  }

  write(position: number, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const number = Math.floor((position + at) / pageBytes);
      const first = number * pageBytes;
      const count = Math.min(bytes.length - at, first + pageBytes - position - at);
      this.#ownPage(number).set(bytes.subarray(at, at + count), position + at - first);
      at += count;
    }
  }

  /** Everything from here on is zero. */
  cut(size: number): void {
    const number = Math.floor(size / pageBytes);
    if (size < this.#source.length || this.#pages.length > number) this.#ownPage(number).fill(0, size % pageBytes);
    for (const page of this.#own) if (page > number) this.#own.delete(page);
    this.#pages.length = Math.min(this.#pages.length, number + 1);
    if (size < this.#source.length) this.#source = upTo(this.#source, size);
  }

  /** The same bytes; what happens to one does not happen to the other. What it takes from then on is counted in `copied`. */
  fork(copied: CopyCount = this.#copied): PagedBytes {
    this.#own = new Set();
    return new PagedBytes(this.#source, copied, this.#pages.slice());
  }

  #ownPage(number: number): Uint8Array {
    const old = this.#pages[number];
    if (old && this.#own.has(number)) return old;
    const page = new Uint8Array(pageBytes);
    page.set(old ?? this.#source.read(number * pageBytes, pageBytes));
    this.#pages[number] = page;
    this.#own.add(number);
    this.#copied.bytes += pageBytes;
    return page;
  }
}

export function bytesInMemory(bytes: Uint8Array): ByteSource {
  return { length: bytes.length, read: (position, length) => bytes.subarray(position, position + length) };
}

function upTo(source: ByteSource, size: number): ByteSource {
  const room = (position: number) => Math.max(0, size - position);
  return { length: size, read: (position, length) => source.read(position, Math.min(length, room(position))) };
}
