import type { GuestMemory } from '../guest.ts';

export const PAGE_BYTES = 0x4000;
/** Where the four physical pages lie. */
export const FRAME_SEGMENT = 0xe000;
export const PHYSICAL_PAGES = 4;

/** What a physical page shows: a page of a handle, or nothing. */
export interface Mapping {
  readonly handle: number;
  readonly page: number;
}

export type PageMap = (Mapping | undefined)[];

export interface EmsHandle {
  readonly number: number;
  name: string;
  /** Numbers of pages in the store, by logical page. */
  pages: number[];
  /** Function 47h's copy of the page map. */
  saved?: PageMap | undefined;
}

export interface EmsState {
  handles: EmsHandle[];
  map: PageMap;
}

/** Handles, pages and what the page frame shows of them. A mapped page lives in the frame; its store is brought up to date when it leaves. */
export class ExpandedMemory {
  readonly pageCount: number;
  readonly #memory: GuestMemory;
  readonly #store: Uint8Array;
  #state: EmsState = { handles: [], map: [] };

  constructor(memory: GuestMemory, store: Uint8Array) {
    this.#memory = memory;
    this.#store = store;
    this.pageCount = Math.floor(store.length / PAGE_BYTES);
    this.reset();
  }

  /** Handle 0 belongs to the system. */
  reset(): void {
    this.#state = {
      handles: [{ number: 0, name: '', pages: [] }],
      map: Array.from({ length: PHYSICAL_PAGES }, () => undefined),
    };
  }

  save(): EmsState {
    return structuredClone(this.#state);
  }

  restore(saved: EmsState): void {
    this.#state = structuredClone(saved);
  }

  get handles(): readonly EmsHandle[] {
    return this.#state.handles;
  }

  get map(): PageMap {
    return [...this.#state.map];
  }

  get freePages(): number {
    return this.pageCount - this.#state.handles.reduce((sum, handle) => sum + handle.pages.length, 0);
  }

  find(number: number): EmsHandle | undefined {
    return this.#state.handles.find((handle) => handle.number === number);
  }

  allocate(pages: number): EmsHandle {
    let number = 1;
    while (this.find(number) !== undefined) number++;
    const handle = { number, name: '', pages: this.#takePages(pages) };
    this.#state.handles.push(handle);
    return handle;
  }

  resize(handle: EmsHandle, pages: number): void {
    if (pages > handle.pages.length) handle.pages.push(...this.#takePages(pages - handle.pages.length));
    else {
      this.#unmapWhere((mapping) => mapping.handle === handle.number && mapping.page >= pages);
      handle.pages.length = pages;
    }
  }

  release(handle: EmsHandle): void {
    this.#unmapWhere((mapping) => mapping.handle === handle.number);
    if (handle.number === 0) handle.pages = [];
    else this.#state.handles = this.#state.handles.filter((each) => each !== handle);
  }

  setMapping(physical: number, mapping: Mapping | undefined): void {
    const at = FRAME_SEGMENT * 16 + physical * PAGE_BYTES;
    const before = this.#storeOf(this.#state.map[physical]);
    const next = this.#storeOf(mapping);
    this.#state.map[physical] = mapping;
    if (before === next) return;
    if (before !== undefined) this.#store.set(this.#memory.bytes(at, PAGE_BYTES), before);
    // A page shown a second time is brought up to date from where it is shown first.
    this.#flush(mapping, physical);
    if (next !== undefined) this.#memory.write(at, this.#store.subarray(next, next + PAGE_BYTES));
  }

  setMap(map: PageMap): void {
    map.forEach((mapping, physical) => {
      this.setMapping(physical, mapping);
    });
  }

  /** Bytes of a handle's pages, one after the other. */
  read(handle: EmsHandle, offset: number, length: number): Uint8Array {
    this.#flushAll();
    return Uint8Array.from({ length }, (_, index) => this.#store[this.#byteAt(handle, offset + index)] ?? 0);
  }

  /** As `read`, for somebody who looks: nothing is brought up to date. A page that the frame shows is read there. */
  peek(handle: EmsHandle, offset: number, length: number, frame: (address: number) => number): Uint8Array {
    return Uint8Array.from({ length }, (_, index) => {
      const page = Math.floor((offset + index) / PAGE_BYTES);
      const within = (offset + index) % PAGE_BYTES;
      const shown = this.#state.map.findIndex((each) => each?.handle === handle.number && each.page === page);
      if (shown >= 0) return frame(FRAME_SEGMENT * 16 + shown * PAGE_BYTES + within);
      return this.#store[this.#byteAt(handle, offset + index)] ?? 0;
    });
  }

  /** Where the frame shows a page of the store, as an address; undefined for one that it does not show. */
  shownAt(page: number): number | undefined {
    const physical = this.#state.map.findIndex((mapping) => this.#storeOf(mapping) === page * PAGE_BYTES);
    return physical < 0 ? undefined : FRAME_SEGMENT * 16 + physical * PAGE_BYTES;
  }

  write(handle: EmsHandle, offset: number, bytes: Uint8Array): void {
    this.#flushAll();
    bytes.forEach((byte, index) => {
      this.#store[this.#byteAt(handle, offset + index)] = byte;
    });
    this.#state.map.forEach((mapping, physical) => {
      const from = this.#storeOf(mapping);
      if (from === undefined || mapping?.handle !== handle.number) return;
      const at = FRAME_SEGMENT * 16 + physical * PAGE_BYTES;
      this.#memory.write(at, this.#store.subarray(from, from + PAGE_BYTES));
    });
  }

  #byteAt(handle: EmsHandle, offset: number): number {
    return (handle.pages[Math.floor(offset / PAGE_BYTES)] ?? 0) * PAGE_BYTES + (offset % PAGE_BYTES);
  }

  /** Where a mapped page lies in the store. */
  #storeOf(mapping: Mapping | undefined): number | undefined {
    if (mapping === undefined) return undefined;
    const page = this.find(mapping.handle)?.pages[mapping.page];
    return page === undefined ? undefined : page * PAGE_BYTES;
  }

  #flushAll(): void {
    for (const mapping of this.#state.map) this.#flush(mapping, -1);
  }

  #flush(mapping: Mapping | undefined, except: number): void {
    const to = this.#storeOf(mapping);
    if (to === undefined) return;
    const shown = this.#state.map.findIndex(
      (each, physical) => physical !== except && each?.handle === mapping?.handle && each?.page === mapping?.page,
    );
    if (shown >= 0) this.#store.set(this.#memory.bytes(FRAME_SEGMENT * 16 + shown * PAGE_BYTES, PAGE_BYTES), to);
  }

  #unmapWhere(matches: (mapping: Mapping) => boolean): void {
    this.#state.map.forEach((mapping, physical) => {
      if (mapping !== undefined && matches(mapping)) this.setMapping(physical, undefined);
    });
  }

  #takePages(count: number): number[] {
    const taken = new Set(this.#state.handles.flatMap((handle) => handle.pages));
    const pages: number[] = [];
    for (let page = 0; pages.length < count && page < this.pageCount; page++) if (!taken.has(page)) pages.push(page);
    return pages;
  }
}
