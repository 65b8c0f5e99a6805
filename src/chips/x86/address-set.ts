export interface AddressRange {
  readonly first: number;
  /** Included. */
  readonly last: number;
}

const pageShift = 12;
const pageBytes = 1 << pageShift;

/** Linear addresses, as many as there may be: a byte for each one of the pages in which there are some. */
export class AddressSet {
  readonly #pages = new Map<number, Uint8Array>();

  constructor(ranges: readonly AddressRange[]) {
    for (const { first, last } of ranges) {
      for (let page = first >>> pageShift; page <= last >>> pageShift; page++) {
        const start = page * pageBytes;
        this.#page(page).fill(1, Math.max(0, first - start), Math.min(pageBytes, last - start + 1));
      }
    }
  }

  get isEmpty(): boolean {
    return this.#pages.size === 0;
  }

  has(address: number): boolean {
    return this.#pages.size > 0 && this.#pages.get(address >>> pageShift)?.[address & (pageBytes - 1)] === 1;
  }

  #page(number: number): Uint8Array {
    const page = this.#pages.get(number) ?? new Uint8Array(pageBytes);
    this.#pages.set(number, page);
    return page;
  }
}
