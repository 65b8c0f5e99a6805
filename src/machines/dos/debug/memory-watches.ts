import type { WatchHit } from '../../../chips/x86/memory.ts';
import type { X86 } from '../../../chips/x86/x86.ts';

/** A range of linear addresses somebody wants to know about, `last` included. */
export interface MemoryWatch {
  readonly first: number;
  readonly last: number;
  readonly kind: 'read' | 'write';
  /** Called at the access, by linear address. True: the processor stops after the instruction, with the hit among its reasons. */
  touched(hit: WatchHit): boolean;
}

/** What it costs to find a page, in the processor's rounds. */
const roundsOfPage = 20;

/** A part of a range that lies in one piece. */
interface Piece {
  /** Physical. */
  readonly first: number;
  readonly last: number;
  readonly kind: 'read' | 'write';
  /** From physical addresses to those of the watch. */
  readonly toLinear: number;
  readonly watch: MemoryWatch;
}

/** Shares the processor's watched memory among those who watch: breakpoints, frozen bytes. Costs nothing elsewhere. */
export class MemoryWatches {
  readonly #cpu: X86;
  readonly #owners = new Map<symbol, readonly MemoryWatch[]>();
  #all: readonly MemoryWatch[] = [];
  #pieces: readonly Piece[] = [];
  /** Where the watched pages lay when the pieces were made. */
  readonly #places = new Map<number, number>();

  constructor(cpu: X86) {
    this.#cpu = cpu;
    const { memory } = cpu;
    const stop = memory.onWatch;
    memory.onWatch = (hit) => {
      let stopped: WatchHit | undefined;
      cpu.tire(this.#pieces.length);
      for (const { first, last, kind, toLinear, watch } of this.#pieces) {
        if (kind !== hit.kind || hit.address < first || hit.address > last) continue;
        const there = { ...hit, address: hit.address + toLinear };
        if (watch.touched(there)) stopped ??= there;
      }
      if (stopped) stop(stopped);
    };
    cpu.onPage = (page) => {
      if (this.#all.length === 0) return;
      const place = page < 0 ? undefined : this.#places.get(page);
      if (page < 0 || (place !== undefined && place !== cpu.physical(page * 0x1000))) this.#arm();
    };
  }

  /** Replaces what this owner watches. */
  set(owner: symbol, watches: readonly MemoryWatch[]): void {
    if (watches.length === 0 && !this.#owners.has(owner)) return;
    this.#owners.set(owner, watches);
    this.#all = [...this.#owners.values()].flat();
    this.#arm();
  }

  /** Watches memory where the pages of now have it. */
  #arm(): void {
    this.#places.clear();
    this.#pieces = this.#all.flatMap((watch) => (this.#cpu.isPaged ? this.#onPages(watch) : whole(watch)));
    this.#cpu.memory.setWatches(this.#pieces);
    this.#cpu.tire(this.#places.size * roundsOfPage);
  }

  #onPages(watch: MemoryWatch): Piece[] {
    const pieces: Piece[] = [];
    for (let page = Math.floor(watch.first / 0x1000); page * 0x1000 <= watch.last; page += 1) {
      const start = page * 0x1000;
      const place = this.#cpu.physical(start);
      this.#places.set(page, place);
      if (place < 0) continue;
      const first = Math.max(watch.first, start);
      const last = Math.min(watch.last, start + 0xfff);
      const toLinear = start - place;
      pieces.push({ first: first - toLinear, last: last - toLinear, kind: watch.kind, toLinear, watch });
    }
    return pieces;
  }
}

function whole(watch: MemoryWatch): Piece[] {
  return [{ first: watch.first, last: watch.last, kind: watch.kind, toLinear: 0, watch }];
}
