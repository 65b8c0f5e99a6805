const pageBytes = 256;
const pagesInGroup = 32;

/** What a disk had on it at one time. Never changes; unchanged parts are shared with the revisions before and after. */
export interface DiskRevision {
  /** A hash of the contents in two signed words: equal contents have equal names on every machine. */
  readonly low: number;
  readonly high: number;
  readonly byteLength: number;
  readonly groups: readonly (readonly Uint8Array[])[];
}

/**
 * Every state that a disk of this machine was ever in. A snapshot holds only the hash; going back finds the contents here.
 * Each written block costs its 256 bytes and a few hundred more, for as long as the machine lives.
 */
export class DiskShelf {
  readonly #revisions = new Map<string, DiskRevision>();

  find(low: number, high: number): DiskRevision | undefined {
    return this.#revisions.get(`${low},${high}`);
  }

  /** Keeps these contents; with `before`, which may be longer or shorter, only what differs from it is copied. */
  keep(bytes: Uint8Array, before?: DiskRevision): DiskRevision {
    let low = lengthHash(bytes.length, 1);
    let high = lengthHash(bytes.length, 2);
    const groups: (readonly Uint8Array[])[] = [];
    const pageCount = Math.ceil(bytes.length / pageBytes);
    if (before) {
      low ^= before.low ^ lengthHash(before.byteLength, 1);
      high ^= before.high ^ lengthHash(before.byteLength, 2);
      for (let page = pageCount; page * pageBytes < before.byteLength; page += 1) {
        const gone = this.page(before, page);
        if (!gone) continue;
        low ^= pageHash(page, gone, 1);
        high ^= pageHash(page, gone, 2);
      }
    }
    for (let first = 0; first < pageCount; first += pagesInGroup) {
      const known = before?.groups[groups.length];
      const old = known && known.length > pageCount - first ? known.slice(0, pageCount - first) : known;
      let group: Uint8Array[] | undefined;
      for (let page = first; page < Math.min(first + pagesInGroup, pageCount); page += 1) {
        const stale = old?.[page - first];
        const end = Math.min((page + 1) * pageBytes, bytes.length);
        if (stale?.length === end - page * pageBytes && isSame(stale, bytes, page * pageBytes)) continue;
        const fresh = bytes.slice(page * pageBytes, end);
        low ^= pageHash(page, fresh, 1) ^ (stale ? pageHash(page, stale, 1) : 0);
        high ^= pageHash(page, fresh, 2) ^ (stale ? pageHash(page, stale, 2) : 0);
        group ??= old ? [...old] : [];
        group[page - first] = fresh;
      }
      groups.push(group ?? old ?? []);
    }
    const existing = this.find(low, high);
    if (existing) return existing;
    const revision = { low, high, byteLength: bytes.length, groups };
    this.#revisions.set(`${low},${high}`, revision);
    return revision;
  }

  /** The same contents but for one page of 256 bytes. */
  withPage(before: DiskRevision, page: number, bytes: Uint8Array): DiskRevision {
    const index = Math.floor(page / pagesInGroup);
    const known = before.groups[index]?.[page % pagesInGroup];
    if (!known || isSame(known, bytes, 0)) return before;
    const low = before.low ^ pageHash(page, bytes, 1) ^ pageHash(page, known, 1);
    const high = before.high ^ pageHash(page, bytes, 2) ^ pageHash(page, known, 2);
    const existing = this.find(low, high);
    if (existing) return existing;
    const group = [...(before.groups[index] ?? [])];
    group[page % pagesInGroup] = bytes.slice();
    const groups = [...before.groups];
    groups[index] = group;
    const revision = { low, high, byteLength: before.byteLength, groups };
    this.#revisions.set(`${low},${high}`, revision);
    return revision;
  }

  page(revision: DiskRevision, page: number): Uint8Array | undefined {
    return revision.groups[Math.floor(page / pagesInGroup)]?.[page % pagesInGroup];
  }

  bytesOf(revision: DiskRevision): Uint8Array {
    const bytes = new Uint8Array(revision.byteLength);
    let at = 0;
    for (const group of revision.groups) {
      for (const page of group) {
        bytes.set(page, at);
        at += page.length;
      }
    }
    return bytes;
  }
}

function isSame(page: Uint8Array, bytes: Uint8Array, at: number): boolean {
  for (let index = 0; index < page.length; index += 1) if (page[index] !== bytes[at + index]) return false;
  return true;
}

function pageHash(page: number, bytes: Uint8Array, salt: 1 | 2): number {
  const factor = salt === 1 ? 0x0100_0193 : 0x2c1b_3c6d;
  let state = hash(salt, page, 0x85eb_ca6b | 0);
  for (let at = 0; at < bytes.length; at += 1) {
    state = Math.imul(state ^ (state >>> 15) ^ (bytes[at] as number), factor);
  }
  return hash(state, salt, 0xc2b2_ae35 | 0);
}

function lengthHash(length: number, salt: 1 | 2): number {
  return hash(0, length, salt === 1 ? 0x2545_f491 : 0x9e37_79b9 | 0);
}

function hash(state: number, value: number, factor: number): number {
  let mixed = Math.imul(state ^ value ^ factor, 0x9e37_79b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  return Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35) ^ (mixed >>> 16);
}
