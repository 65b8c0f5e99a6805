import { setTimeout } from 'node:timers/promises';
import type { Machine } from '../machine/machine.ts';

/** However long they looked, whoever comes next waits no longer than this for the machine's own time. */
const longestRestMs = 1000;

interface Look {
  /** Who looks, or waits to. */
  people: number;
  readonly begun: Promise<() => void>;
}

/**
 * People who look at one running machine hold it still together, and between two such looks it has as much time as the
 * last one took: however many look, and however slow this computer is, it runs half of the time.
 */
export class SharedLook {
  readonly #machine: Machine;
  #next: Look | undefined;
  /** When the last look is over and the machine has had its time. */
  #rested: Promise<unknown> = Promise.resolve();

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** The answer is to be called when nothing more is read. */
  async begin(): Promise<() => void> {
    this.#next ??= { people: 0, begun: this.#hold() };
    const look = this.#next;
    look.people++;
    const letGo = await look.begun;
    return () => {
      look.people--;
      if (look.people === 0) letGo();
    };
  }

  async #hold(): Promise<() => void> {
    const before = this.#rested;
    let end = (_restMs: number) => {};
    this.#rested = new Promise<number>((resolve) => {
      end = resolve;
    }).then((restMs) => setTimeout(restMs, undefined, { ref: false }));
    await before;
    this.#next = undefined;
    const began = performance.now();
    try {
      const letGo = await this.#machine.control?.hold();
      return () => {
        letGo?.();
        end(Math.min(longestRestMs, performance.now() - began));
      };
    } catch (error) {
      end(0);
      throw error;
    }
  }
}
