import { freemem } from 'node:os';
import { MachineError } from '../../machine/errors.ts';

/** What a machine takes is seen in what is free once it has run for a while; until then it is counted as promised. */
const youngMs = 60_000;
const mib = 1024 * 1024;

/** The memory of this host, as far as machines may have it. */
export class HostMemory {
  readonly #mostMib: number;
  readonly #freeMib: () => number;
  readonly #taken = new Map<string, { readonly memoryMib: number; readonly at: number }>();

  /** `mostMib` is what the operator lets all machines of this host have together, by what each takes at most. */
  constructor(mostMib: number = Number.POSITIVE_INFINITY, freeMib: () => number = freeNow) {
    this.#mostMib = mostMib;
    this.#freeMib = freeMib;
  }

  /** How much another machine may take. */
  get roomMib(): number {
    const now = performance.now();
    let [all, young] = [0, 0];
    for (const { memoryMib, at } of this.#taken.values()) {
      all += memoryMib;
      if (now - at < youngMs) young += memoryMib;
    }
    return Math.max(0, Math.floor(Math.min(this.#mostMib - all, this.#freeMib() - young)));
  }

  /** Throws where there is no room for a machine. */
  take(name: string, memoryMib: number): void {
    const room = this.roomMib;
    if (memoryMib > room) {
      throw new MachineError(
        'LIMIT_REACHED',
        `This host has ${room} MiB of memory for another machine, and this one may take ${memoryMib}.`,
        'Stop a machine, or start it on another host ("on" in its options); the operator can raise --max-memory where it is given.',
        { free_mib: room, needed_mib: memoryMib },
      );
    }
    this.#taken.set(name, { memoryMib, at: performance.now() });
  }

  /** A machine that is there whatever is free: the user's configuration has it. */
  keep(name: string, memoryMib: number): void {
    this.#taken.set(name, { memoryMib, at: performance.now() });
  }

  give(name: string): void {
    this.#taken.delete(name);
  }
}

/** With what the operating system lets this process and its children have. */
function freeNow(): number {
  return (process.availableMemory?.() ?? freemem()) / mib;
}
