import type { WatchHit } from '../../../chips/x86/memory.ts';
import type { X86 } from '../../../chips/x86/x86.ts';

/** A range somebody wants to know about, `last` included. */
export interface MemoryWatch {
  readonly first: number;
  readonly last: number;
  readonly kind: 'read' | 'write';
  /** Called at the access. True: the processor stops after the instruction, with the hit among its reasons. */
  touched(hit: WatchHit): boolean;
}

/** Shares the processor's watched memory among those who watch: breakpoints, frozen bytes. Costs nothing elsewhere. */
export class MemoryWatches {
  readonly #cpu: X86;
  readonly #owners = new Map<symbol, readonly MemoryWatch[]>();
  #all: readonly MemoryWatch[] = [];

  constructor(cpu: X86) {
    this.#cpu = cpu;
    const { memory } = cpu;
    const stop = memory.onWatch;
    memory.onWatch = (hit) => {
      let stops = false;
      cpu.tire(this.#all.length);
      for (const watch of this.#all) {
        if (watch.kind !== hit.kind || hit.address < watch.first || hit.address > watch.last) continue;
        if (watch.touched(hit)) stops = true;
      }
      if (stops) stop(hit);
    };
  }

  /** Replaces what this owner watches. */
  set(owner: symbol, watches: readonly MemoryWatch[]): void {
    if (watches.length === 0 && !this.#owners.has(owner)) return;
    this.#owners.set(owner, watches);
    this.#all = [...this.#owners.values()].flat();
    this.#cpu.memory.setWatches(this.#all);
  }
}
