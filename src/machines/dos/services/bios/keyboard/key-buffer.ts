import type { GuestMemory } from '../../guest.ts';
import { bda } from '../data-area.ts';

/** The ring of key words in the data area, where programs also look for themselves. */
export class KeyBuffer {
  readonly #memory: GuestMemory;

  constructor(memory: GuestMemory) {
    this.#memory = memory;
  }

  clear(): void {
    const start = this.#start();
    this.#memory.write16(bda.keyboardHead, start);
    this.#memory.write16(bda.keyboardTail, start);
  }

  /** False where it is full. */
  push(word: number): boolean {
    const tail = this.#memory.read16(bda.keyboardTail);
    const next = this.#after(tail);
    if (next === this.#memory.read16(bda.keyboardHead)) return false;
    this.#memory.write16(0x400 + tail, word);
    this.#memory.write16(bda.keyboardTail, next);
    return true;
  }

  peek(): number | undefined {
    const head = this.#memory.read16(bda.keyboardHead);
    return head === this.#memory.read16(bda.keyboardTail) ? undefined : this.#memory.read16(0x400 + head);
  }

  shift(): number | undefined {
    const word = this.peek();
    if (word !== undefined) this.#memory.write16(bda.keyboardHead, this.#after(this.#memory.read16(bda.keyboardHead)));
    return word;
  }

  #start(): number {
    return this.#memory.read16(bda.keyboardBufferStart);
  }

  #after(at: number): number {
    return at + 2 >= this.#memory.read16(bda.keyboardBufferEnd) ? this.#start() : at + 2;
  }
}
