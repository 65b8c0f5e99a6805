import { MachineError } from '../../machine/errors.ts';
import type { FrozenBytes } from '../../machine/memory.ts';

/** Bytes that are held, under numbers that are never given twice. */
export class FrozenList {
  #all: readonly FrozenBytes[] = [];
  #nextId = 1;

  get all(): readonly FrozenBytes[] {
    return this.#all;
  }

  add(address: bigint, bytes: Uint8Array): FrozenBytes {
    const frozen = { id: this.#nextId++, address, bytes: bytes.slice() };
    this.#all = [...this.#all, frozen];
    return frozen;
  }

  /** Rejects with the ids there are. */
  remove(id: number): void {
    const left = this.#all.filter((each) => each.id !== id);
    if (left.length === this.#all.length) {
      const ids = this.#all.map((each) => each.id).join(', ');
      throw new MachineError('NOT_FOUND', `No freeze ${id}.`, ids ? `There are: ${ids}.` : 'Nothing is frozen.');
    }
    this.#all = left;
  }
}
