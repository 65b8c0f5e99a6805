const pageBits = 12;
const pageBytes = 1 << pageBits;

/** What was in the memory at one time. Pages that did not change are shared with the revisions before and after. */
interface RamRevision {
  /** A hash of the contents in two signed words. */
  readonly low: number;
  readonly high: number;
  readonly pages: readonly Uint8Array[];
}

/**
 * A large memory that is no part of the machine's buffer: a copy of that names the contents, and holds them for as long as it
 * lives itself. So a copy of a machine with 16 MiB costs only what was written since the one before.
 */
export class PagedRam {
  readonly bytes: Uint8Array;
  readonly #written: Uint8Array;
  readonly #mayHaveChanged: () => boolean;
  #isWritten = true;
  #revision: RamRevision;
  readonly #known = new Map<string, WeakRef<RamRevision>>();
  readonly #held = new WeakMap<Uint8Array, RamRevision>();

  /** Its bytes may lie in the memory of the machine: `mayHaveChanged` says whether somebody may have written there since it was asked. */
  constructor(byteLength: number, bytes?: Uint8Array, mayHaveChanged: () => boolean = () => false) {
    this.bytes = bytes?.subarray(0, byteLength) ?? new Uint8Array(byteLength);
    this.#mayHaveChanged = mayHaveChanged;
    const blank = new Uint8Array(pageBytes);
    const pages = Array.from({ length: Math.ceil(byteLength / pageBytes) }, () => blank);
    this.#written = new Uint8Array(pages.length).fill(1);
    this.#revision = { low: 0, high: 0, pages };
  }

  write(place: number, value: number): void {
    this.bytes[place] = value;
    this.#written[place >> pageBits] = 1;
    this.#isWritten = true;
  }

  /** As many of these as there is room for. */
  set(place: number, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && place + at < this.bytes.length; at += 1)
      this.write(place + at, bytes[at] as number);
  }

  /** Everything may have changed. */
  touch(): void {
    this.#written.fill(1);
    this.#isWritten = true;
  }

  /** The name of what is in it now. */
  name(): { readonly low: number; readonly high: number } {
    this.#look();
    if (this.#isWritten) this.#commit();
    return this.#revision;
  }

  /** What is in it now can be returned to for as long as somebody has this copy of the state. */
  hold(copy: Uint8Array): void {
    this.#look();
    if (this.#isWritten) this.#commit();
    this.#held.set(copy, this.#revision);
  }

  /** Puts contents back that somebody still holds; false if nobody does. */
  restore(low: number, high: number): boolean {
    const revision = this.#find(low, high);
    if (revision === undefined) return false;
    this.#look();
    revision.pages.forEach((page, index) => {
      if (page === this.#revision.pages[index] && this.#written[index] === 0) return;
      const start = index << pageBits;
      this.bytes.set(page.subarray(0, this.bytes.length - start), start);
    });
    this.#revision = revision;
    this.#written.fill(0);
    this.#isWritten = false;
    return true;
  }

  /** The contents of that name, if somebody still holds them. */
  image(low: number, high: number): Uint8Array | undefined {
    const revision = this.#find(low, high);
    if (revision === undefined) return undefined;
    const image = new Uint8Array(this.bytes.length);
    revision.pages.forEach((page, index) => {
      image.set(page.subarray(0, image.length - (index << pageBits)), index << pageBits);
    });
    return image;
  }

  /** Contents that a copy of the state made elsewhere speaks of: to be restored at once. False if they are of another size. */
  remember(image: Uint8Array): boolean {
    if (image.length !== this.bytes.length) return false;
    const pages = this.#revision.pages.map((_, index) =>
      pageOf(image.subarray(index << pageBits, (index + 1) << pageBits)),
    );
    this.#keep(pages);
    return true;
  }

  #look(): void {
    if (this.#mayHaveChanged()) this.touch();
  }

  #find(low: number, high: number): RamRevision | undefined {
    if (low === this.#revision.low && high === this.#revision.high) return this.#revision;
    return this.#known.get(`${low},${high}`)?.deref();
  }

  #commit(): void {
    // When power comes on most pages are as others are: one is kept for all of them.
    let newest: Uint8Array | undefined;
    const pages = this.#revision.pages.map((page, index) => {
      if (this.#written[index] === 0) return page;
      const now = this.bytes.subarray(index << pageBits, (index + 1) << pageBits);
      if (isSame(now, page)) return page;
      if (newest === undefined || !isSame(now, newest)) newest = pageOf(now);
      return newest;
    });
    this.#revision = this.#keep(pages);
    this.#written.fill(0);
    this.#isWritten = false;
  }

  #keep(pages: readonly Uint8Array[]): RamRevision {
    let low = 0;
    let high = 0;
    pages.forEach((page, index) => {
      const [first, second] = hashOf(page);
      low ^= Math.imul(first ^ index, 0x9e37_79b1);
      high ^= Math.imul(second + index, 0x85eb_ca6b);
    });
    const known = this.#find(low, high);
    if (known !== undefined) return known;
    const revision = { low, high, pages };
    if (this.#known.size > mostNames) this.#forget();
    this.#known.set(`${low},${high}`, new WeakRef(revision));
    return revision;
  }

  /** Names whose contents nobody holds any more. */
  #forget(): void {
    for (const [name, revision] of this.#known) if (revision.deref() === undefined) this.#known.delete(name);
  }
}

const mostNames = 4096;
const hashes = new WeakMap<Uint8Array, readonly [number, number]>();

function pageOf(bytes: Uint8Array): Uint8Array {
  const page = new Uint8Array(pageBytes);
  page.set(bytes);
  return page;
}

function isSame(bytes: Uint8Array, page: Uint8Array): boolean {
  return Buffer.compare(bytes, page.subarray(0, bytes.length)) === 0;
}

/** Pages never change: each is hashed once. */
function hashOf(page: Uint8Array): readonly [number, number] {
  let known = hashes.get(page);
  if (known === undefined) {
    let first = 0x811c_9dc5;
    let second = 0x2545_f491;
    // Four bytes at a time: 16 MiB of them at the start of a machine would keep others waiting.
    const words = new Uint32Array(page.buffer, page.byteOffset, pageBytes / 4);
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] as number;
      first = Math.imul(first ^ word ^ (first >>> 15), 0x0100_0193);
      second = Math.imul(second ^ (second >>> 15) ^ word, 0x2c1b_3c6d);
    }
    known = [first, second];
    hashes.set(page, known);
  }
  return known;
}
