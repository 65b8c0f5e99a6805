import { z } from 'zod';
import { defineKind } from '../src/machine/kind.ts';
import type { Machine } from '../src/machine/machine.ts';
import type { Stop } from '../src/machine/state.ts';

/** A machine of sixteen bytes that counts while it runs: the smallest thing with control and memory. */
export class Toy implements Machine {
  readonly kind = 'toy';
  readonly #ram = new Uint8Array(16).fill(0xea);
  readonly #holds = new Set<symbol>();
  #running = false;
  #stops = 0;
  holdsTaken = 0;
  disposed = false;

  status() {
    return this.#running ? { state: 'RUNNING' as const } : { state: 'PAUSED' as const, where: '$0000' };
  }

  readonly control = {
    run: async (): Promise<Stop> => {
      this.#running = true;
      return { seq: ++this.#stops, cause: 'limit', reason: 'limit' };
    },
    pause: async (): Promise<Stop> => {
      this.#running = false;
      return { seq: ++this.#stops, cause: 'halt', reason: 'pause' };
    },
    step: async (): Promise<Stop> => ({ seq: ++this.#stops, cause: 'step', reason: 'step' }),
    reset: async () => void this.#ram.fill(0),
    canRewind: false,
    framesPerSecond: 50,
    hold: async () => {
      const hold = Symbol('hold');
      this.#holds.add(hold);
      this.holdsTaken++;
      return () => void this.#holds.delete(hold);
    },
  };

  readonly memory = {
    spaces: [{ name: 'ram', size: 16n, description: 'all of it', writable: true }],
    peek: async (_space: string, address: bigint, length: number) =>
      this.#ram.slice(Number(address), Number(address) + length),
    poke: async (_space: string, address: bigint, bytes: Uint8Array) => this.#ram.set(bytes, Number(address)),
  };

  get held(): boolean {
    return this.#holds.size > 0;
  }

  async [Symbol.asyncDispose]() {
    this.disposed = true;
    this.#running = false;
  }
}

export const toys: Toy[] = [];

export const toyKind = defineKind({
  kind: 'toy',
  summary: 'Sixteen bytes and a counter.',
  options: z.strictObject({ running: z.boolean().default(false).describe('Start it running') }),
  async start({ running }) {
    const toy = new Toy();
    toys.push(toy);
    if (running) await toy.control.run();
    return toy;
  },
});
