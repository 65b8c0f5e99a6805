import type { GdbClient, PointType } from '../../../links/gdb/gdb-client.ts';
import { GdbError } from '../../../links/gdb/gdb-error.ts';

/** A place the stub watches. */
export interface Point {
  readonly type: PointType;
  readonly address: bigint;
  readonly length: number;
}

/** What is set in the stub, kept the same as what is wanted. */
export class StubPoints {
  readonly #gdb: GdbClient;
  readonly #inserted = new Map<string, Point>();

  constructor(gdb: GdbClient) {
    this.#gdb = gdb;
  }

  async become(wanted: readonly Point[]): Promise<void> {
    const keys = new Set(wanted.map(keyOf));
    for (const [key, point] of this.#inserted) if (!keys.has(key)) await this.#remove(key, point);
    for (const point of wanted) await this.#insert(point);
  }

  /** Does something that no watchpoint may see. */
  async withoutWatches<T>(action: () => Promise<T>): Promise<T> {
    const watches = [...this.#inserted].filter(([, { type }]) => type !== 'software' && type !== 'hardware');
    for (const [key, point] of watches) await this.#remove(key, point);
    try {
      return await action();
    } finally {
      for (const [, point] of watches) await this.#insert(point);
    }
  }

  async #insert(point: Point): Promise<void> {
    const key = keyOf(point);
    if (this.#inserted.has(key)) return;
    try {
      await this.#gdb.insert(point.type, point.address, point.length);
      this.#inserted.set(key, point);
    } catch (error) {
      const canBeHardware = point.type === 'software' && error instanceof GdbError && error.failure === 'refused';
      if (!canBeHardware) throw error;
      // Code in a ROM, where an accelerator cannot put a breakpoint into memory.
      await this.#gdb.insert('hardware', point.address, point.length);
      this.#inserted.set(key, { ...point, type: 'hardware' });
    }
  }

  async #remove(key: string, point: Point): Promise<void> {
    this.#inserted.delete(key);
    await this.#gdb.remove(point.type, point.address, point.length);
  }
}

function keyOf({ type, address, length }: Point): string {
  return `${type} ${address} ${length}`;
}
