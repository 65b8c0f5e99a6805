const chunkEntries = 4096;

/** Entries of so many words each; the newest stay when there is no room for all. Memory is taken as it is needed. */
export class TraceRing {
  readonly capacity: number;
  readonly #words: number;
  readonly #chunks: Int32Array[] = [];
  /** Of the entry that was reserved last. */
  offset = 0;
  #total = 0;
  #dropped = 0;

  constructor(capacity: number, words: number) {
    this.capacity = capacity;
    this.#words = words;
  }

  /** Written so far, kept or not. */
  get total(): number {
    return this.#total;
  }

  get dropped(): number {
    return Math.max(this.#dropped, this.#total - this.capacity);
  }

  /** Room for the next entry, to be filled in. */
  next(): Int32Array {
    return this.#at(this.#total++);
  }

  /** As `next`, for those who write millions of them: the entry begins at `offset` of what is returned. */
  reserve(): Int32Array {
    const index = this.#total % this.capacity;
    this.#total += 1;
    const chunk = Math.floor(index / chunkEntries);
    this.offset = (index - chunk * chunkEntries) * this.#words;
    return this.#chunk(chunk);
  }

  /** Takes the newest entries back, down to so many; those that were dropped for them stay away. */
  truncate(total: number): void {
    this.#dropped = this.dropped;
    this.#total = Math.max(this.#dropped, Math.min(total, this.#total));
  }

  /** Entry number `seq`, if it is kept. */
  entry(seq: number): Int32Array | undefined {
    return seq < this.dropped || seq >= this.#total ? undefined : this.#at(seq);
  }

  /** Entries from this one on, each shown with the words of the one before it; `next` is where to go on. */
  page<Entry>(
    from: number,
    limit: number,
    show: (seq: number, words: Int32Array, before: Int32Array | undefined) => Entry,
  ): { readonly entries: readonly Entry[]; readonly next: number } {
    const first = Math.max(from, this.dropped);
    const entries: Entry[] = [];
    let before: Int32Array | undefined;
    for (let seq = first; seq < first + limit; seq++) {
      const words = this.entry(seq);
      if (!words) break;
      entries.push(show(seq, words, before));
      before = words;
    }
    return { entries, next: first + entries.length };
  }

  #at(seq: number): Int32Array {
    const index = seq % this.capacity;
    const chunk = Math.floor(index / chunkEntries);
    const first = (index % chunkEntries) * this.#words;
    return this.#chunk(chunk).subarray(first, first + this.#words);
  }

  #chunk(number: number): Int32Array {
    const known = this.#chunks[number];
    if (known) return known;
    const words = new Int32Array(Math.min(chunkEntries, this.capacity) * this.#words);
    this.#chunks[number] = words;
    return words;
  }
}
