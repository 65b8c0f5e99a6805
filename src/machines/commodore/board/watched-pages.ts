/** By address bits 15-8: not 0 where accesses are to be seen. */
export interface WatchedPages {
  readonly readPages: Uint8Array;
  readonly writePages: Uint8Array;
}

/** By address bits 15-8, what to add to an address for its place in memory, or -1 where accesses are made one by one. */
interface PageTables {
  readonly reads: Int32Array;
  readonly unseenWrites: Int32Array;
  readonly watchedReads: Int32Array;
  readonly watchedWrites: Int32Array;
}

/** Brings the tables for a machine that is watched up to date: the plain ones, and -1 also where somebody watches. */
export function hideWatched(tables: PageTables, { readPages, writePages }: WatchedPages): void {
  const { reads, unseenWrites, watchedReads, watchedWrites } = tables;
  for (let page = 0; page < 256; page += 1) {
    watchedReads[page] = readPages[page] === 0 ? (reads[page] as number) : -1;
    watchedWrites[page] = writePages[page] === 0 ? (unseenWrites[page] as number) : -1;
  }
}
