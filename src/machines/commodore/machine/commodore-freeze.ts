import type { FrozenBytes, MemoryFreeze } from '../../../machine/memory.ts';
import { FrozenList } from '../../shared/frozen-list.ts';
import type { BoardWatch } from '../board/board-watch.ts';
import type { CommodoreEngine } from './commodore-engine.ts';

/** Whatever the processor writes to these addresses, what is held is written. */
export class CommodoreFreeze implements MemoryFreeze {
  readonly #engine: CommodoreEngine;
  readonly #watch: BoardWatch;
  readonly #owner = Symbol('freeze');
  readonly #list = new FrozenList();

  constructor(engine: CommodoreEngine, watch: BoardWatch) {
    this.#engine = engine;
    this.#watch = watch;
  }

  get frozen(): readonly FrozenBytes[] {
    return this.#list.all;
  }

  async hold(address: bigint, bytes: Uint8Array): Promise<FrozenBytes> {
    this.#engine.input({ type: 'poke', bank: 'cpu', address: Number(address), bytes: bytes.slice() });
    const frozen = this.#list.add(address, bytes);
    this.#arm();
    return frozen;
  }

  async release(id: number): Promise<void> {
    this.#list.remove(id);
    this.#arm();
  }

  #arm(): void {
    const { all } = this.#list;
    if (all.length === 0) {
      this.#watch.set(this.#owner, undefined);
      return;
    }
    const held = new Map<number, number>();
    for (const { address, bytes } of all) {
      for (const [index, byte] of bytes.entries()) held.set(Number(address) + index, byte);
    }
    const writes = all.map(({ address, bytes }) => ({
      first: Number(address),
      last: Number(address) + bytes.length - 1,
    }));
    this.#watch.set(this.#owner, { writes, held: (address) => held.get(address) });
  }
}
