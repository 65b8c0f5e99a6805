const slabBytes = 128 * 1024;
/** As many pages are compared at once where nothing has changed for the most part: a comparison costs more than its bytes. */
const chunkBytes = 4096;
/** The page that is all zeros is everybody's and takes no room. */
const zeroPage = 0;

interface Slab {
  readonly bytes: Buffer;
  /** How many states have each page. */
  readonly owners: Uint32Array;
  readonly free: number[];
}

/** A state on the shelf: the number of each of its pages, and how long it was. */
export interface ShelvedBytes {
  readonly pages: Uint32Array;
  readonly length: number;
}

/** Many states of one machine. Pages that a state has in common with one like it are kept once. */
export class PageShelf {
  readonly #pageBytes: number;
  readonly #perSlab: number;
  readonly #slabs: (Slab | undefined)[] = [];
  readonly #zeros: Buffer;
  #pagesInUse = 0;
  /** The state that was put last, in one piece. */
  #last: { readonly shelved: ShelvedBytes; readonly bytes: Buffer } | undefined;

  constructor(pageBytes: number) {
    this.#pageBytes = pageBytes;
    this.#perSlab = slabBytes / pageBytes;
    this.#zeros = Buffer.alloc(pageBytes);
  }

  /** What the states take together. */
  get bytes(): number {
    return this.#pagesInUse * this.#pageBytes + (this.#last?.bytes.length ?? 0);
  }

  /** `like`: one on the shelf that is probably much the same. */
  put(state: Uint8Array, like: ShelvedBytes | undefined): ShelvedBytes {
    const bytes = Buffer.from(state.buffer, state.byteOffset, state.byteLength);
    const before = like?.length === state.length ? like.pages : undefined;
    const last = before && this.#last?.shelved === like ? this.#last?.bytes : undefined;
    const pages = new Uint32Array(Math.ceil(state.length / this.#pageBytes));
    for (let start = 0; start < bytes.length; start += chunkBytes) {
      const end = Math.min(start + chunkBytes, bytes.length);
      const isSame = last !== undefined && bytes.compare(last, start, end, start, end) === 0;
      for (let from = start; from < end; from += this.#pageBytes) {
        const index = from / this.#pageBytes;
        const known = before?.[index];
        const to = Math.min(from + this.#pageBytes, end);
        pages[index] = isSame && known !== undefined ? this.#share(known) : this.#page(bytes, from, to, known);
      }
      if (last && !isSame) bytes.copy(last, start, start, end);
    }
    const shelved = { pages, length: state.length };
    this.#last = { shelved, bytes: last ?? Buffer.from(bytes) };
    return shelved;
  }

  read({ pages, length }: ShelvedBytes, into: Uint8Array): void {
    for (let index = 0; index < pages.length; index += 1) {
      const start = index * this.#pageBytes;
      const { bytes, offset } = this.#place(pages[index] ?? zeroPage);
      into.set(bytes.subarray(offset, offset + Math.min(this.#pageBytes, length - start)), start);
    }
  }

  /** Another one with the same states on it. */
  copy(): PageShelf {
    const shelf = new PageShelf(this.#pageBytes);
    for (const slab of this.#slabs) {
      shelf.#slabs.push(
        slab && { bytes: Buffer.from(slab.bytes), owners: slab.owners.slice(), free: slab.free.slice() },
      );
    }
    shelf.#pagesInUse = this.#pagesInUse;
    shelf.#last = this.#last && { shelved: this.#last.shelved, bytes: Buffer.from(this.#last.bytes) };
    return shelf;
  }

  /** It is read no more. */
  drop(state: ShelvedBytes): void {
    if (this.#last?.shelved === state) this.#last = undefined;
    for (const page of state.pages) this.#release(page);
  }

  /** As it is kept already, if it is. */
  #page(bytes: Buffer, start: number, end: number, known: number | undefined): number {
    if (known !== undefined && this.#isSame(known, bytes, start, end)) return this.#share(known);
    return this.#isSame(zeroPage, bytes, start, end) ? zeroPage : this.#copy(bytes, start, end);
  }

  #isSame(page: number, bytes: Buffer, start: number, end: number): boolean {
    const { bytes: kept, offset } = this.#place(page);
    return bytes.compare(kept, offset, offset + end - start, start, end) === 0;
  }

  #share(page: number): number {
    if (page === zeroPage) return page;
    const { owners } = this.#slabOf(page);
    const place = this.#placeOf(page);
    owners[place] = (owners[place] ?? 0) + 1;
    return page;
  }

  #copy(bytes: Buffer, start: number, end: number): number {
    const number = this.#slabWithRoom();
    const slab = this.#slabs[number];
    const place = slab?.free.pop();
    if (!slab || place === undefined) throw new Error('A slab that has room has none');
    bytes.copy(slab.bytes, place * this.#pageBytes, start, end);
    slab.owners[place] = 1;
    this.#pagesInUse += 1;
    return 1 + number * this.#perSlab + place;
  }

  #release(page: number): void {
    if (page === zeroPage) return;
    const { owners, free } = this.#slabOf(page);
    const place = this.#placeOf(page);
    const left = (owners[place] ?? 0) - 1;
    owners[place] = left;
    if (left > 0) return;
    this.#pagesInUse -= 1;
    free.push(place);
    if (free.length === this.#perSlab) this.#slabs[Math.floor((page - 1) / this.#perSlab)] = undefined;
  }

  /** The first, so that the last ones become empty and can go. */
  #slabWithRoom(): number {
    const roomy = this.#slabs.findIndex((slab) => slab !== undefined && slab.free.length > 0);
    if (roomy >= 0) return roomy;
    const gap = this.#slabs.indexOf(undefined);
    const number = gap >= 0 ? gap : this.#slabs.length;
    this.#slabs[number] = {
      bytes: Buffer.allocUnsafeSlow(slabBytes),
      owners: new Uint32Array(this.#perSlab),
      free: Array.from({ length: this.#perSlab }, (_, index) => this.#perSlab - 1 - index),
    };
    return number;
  }

  #place(page: number): { readonly bytes: Buffer; readonly offset: number } {
    if (page === zeroPage) return { bytes: this.#zeros, offset: 0 };
    return { bytes: this.#slabOf(page).bytes, offset: this.#placeOf(page) * this.#pageBytes };
  }

  #slabOf(page: number): Slab {
    const slab = this.#slabs[Math.floor((page - 1) / this.#perSlab)];
    if (!slab) throw new Error(`Page ${page} was given up`);
    return slab;
  }

  #placeOf(page: number): number {
    return (page - 1) % this.#perSlab;
  }
}
