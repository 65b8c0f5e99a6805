import { plaConfiguration } from '../../../chips/pla.ts';
import { hideWatched, type WatchedPages } from '../board/watched-pages.ts';
import { type BoardState, boardFields } from './c64-state.ts';
import type { MemoryMap } from './memory-map.ts';

const pagesOfBank = 64;
const ramPages = 256;

/** What the processor and the VIC see in memory at the moment: the tables that PLA, cartridge and VIC bank select. */
export class MemoryView {
  /** State and ROMs; the first 64 KiB are RAM. */
  readonly bytes: Uint8Array;
  readonly map: MemoryMap;
  /** By address bits 15-8, what to add to an address for its place in `bytes`, or -1. */
  reads: Int32Array = new Int32Array(ramPages);
  writes: Int32Array = new Int32Array(ramPages);
  /** `writes`, and -1 also where the VIC looks. */
  readonly unseenWrites = new Int32Array(ramPages);
  /** `reads` and `unseenWrites`, and -1 also where somebody watches; up to date while somebody does. */
  readonly watchedReads = new Int32Array(ramPages);
  readonly watchedWrites = new Int32Array(ramPages);
  /** Pages of RAM that the VIC looks at, or whoever else wants to know of writes. */
  readonly seen = new Uint8Array(ramPages);
  /** Where in `bytes` each 4 KiB of the VIC's bank begin. */
  readonly vicPages = new Int32Array(4);
  readonly vicPagesPhi2 = new Int32Array(4);
  /** Whether the VIC looks at the zero page or the stack. */
  isLowSeen = false;
  readonly #board: BoardState;
  readonly #markSeen: (pages: Uint8Array) => void;
  readonly #seenOfBank = new Uint8Array(pagesOfBank);
  #watched: WatchedPages | undefined;
  #isLastTrapped = false;
  #banking = 0;

  constructor(bytes: Uint8Array, map: MemoryMap, board: BoardState, markSeen: (pages: Uint8Array) => void) {
    this.bytes = bytes;
    this.map = map;
    this.#board = board;
    this.#markSeen = markSeen;
  }

  /** What the VIC sees in its bank, in phi1. */
  fetch(address14: number): number {
    return this.bytes[(this.vicPages[address14 >> 12] as number) + (address14 & 0xfff)] as number;
  }

  fetchPhi2(address14: number): number {
    return this.bytes[(this.vicPagesPhi2[address14 >> 12] as number) + (address14 & 0xfff)] as number;
  }

  /** What the processor would read if nobody answered for the vectors; undefined where the bus is open. */
  beneath(address: number): number | undefined {
    const base = this.map.beneath(this.#configuration(this.#banking))[address >> 8] as number;
    return base < 0 ? undefined : (this.bytes[base + address] as number);
  }

  ramEnd(): number {
    return 0x10000;
  }

  /** Whether the processor sees BASIC or the KERNAL at this address. */
  isSystemRom(address: number): boolean {
    const base = this.reads[address >> 8] as number;
    return base > 0 && this.map.isSystemRom(base + address);
  }

  /** Whether the processor sees the cartridge at this address. */
  isCartridge(address: number): boolean {
    const base = this.reads[address >> 8] as number;
    return base > 0 && this.map.isCartridge(base + address);
  }

  isCharacterRom(address14: number): boolean {
    return this.map.isCharacterRom(this.vicPages[address14 >> 12] as number);
  }

  /** The processor's port or the cartridge's lines have changed. `banking` are LORAM, HIRAM, CHAREN. */
  rebank(banking: number): void {
    this.#banking = banking;
    const configuration = this.#configuration(banking);
    this.reads = this.map.reads(configuration);
    this.writes = this.map.writes(configuration);
    this.#hideSeen();
  }

  /** The VIC's bank or the cartridge's lines have changed. */
  rebankVic(): void {
    const bank = this.#board[boardFields.vicBank];
    const configuration = this.#configuration(7);
    this.vicPages.set(this.map.vic(bank, configuration, 'phi1'));
    this.vicPagesPhi2.set(this.map.vic(bank, configuration, 'phi2'));
    this.seenChanged();
  }

  /** The VIC looks elsewhere within its bank. */
  seenChanged(): void {
    this.#markSeen(this.#seenOfBank);
    this.seen.fill(0);
    this.#markSeenIn(this.vicPages);
    this.#markSeenIn(this.vicPagesPhi2);
    if (this.#isLastTrapped) this.seen[ramPages - 1] = 1;
    this.isLowSeen = this.seen[0] !== 0 || this.seen[1] !== 0;
    this.#hideSeen();
  }

  #markSeenIn(vicPages: Int32Array): void {
    for (let page = 0; page < pagesOfBank; page += 1) {
      if (this.#seenOfBank[page] === 0) continue;
      const seen = this.map.ramPage((vicPages[page >> 4] as number) + ((page & 15) << 8));
      if (seen >= 0) this.seen[seen] = 1;
    }
  }

  /** Whether writes to the last page, that of $FF00, are to be seen. */
  trapLastPage(isTrapped: boolean): void {
    if (isTrapped === this.#isLastTrapped) return;
    this.#isLastTrapped = isTrapped;
    this.seenChanged();
  }

  /** From now on accesses to these pages are to be seen. */
  watch(pages: WatchedPages | undefined): void {
    this.#watched = pages;
    this.#hideWatched();
  }

  #hideSeen(): void {
    for (let page = 0; page < ramPages; page += 1) {
      this.unseenWrites[page] = this.seen[page] === 0 ? (this.writes[page] as number) : -1;
    }
    this.#hideWatched();
  }

  #hideWatched(): void {
    if (this.#watched !== undefined) hideWatched(this, this.#watched);
  }

  #configuration(banking: number): number {
    return plaConfiguration(banking, this.#board[boardFields.exrom], this.#board[boardFields.game]);
  }
}
