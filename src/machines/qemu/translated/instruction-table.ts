/** So many different instructions are told apart; a Linux that boots has a third of that. */
export const maxInstructions = 1 << 20;

const firstCapacity = 1 << 12;

/** Every instruction that was translated, once. Numbers are given in the order in which they came. */
export class InstructionTable {
  #high = new Uint32Array(firstCapacity);
  #low = new Uint32Array(firstCapacity);
  #content = new Uint32Array(firstCapacity);
  #bytes = new Uint8Array(firstCapacity);
  /** Twice as many, so that half of them are empty: the number of an instruction and 1. */
  #slots = new Uint32Array(firstCapacity * 2);
  #count = 0;
  readonly #limit: number;

  constructor(limit = maxInstructions) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= this.#limit;
  }

  /** The number of the instruction at an address, by what it is made of; -1 where there is no room for another. */
  numberOf(high: number, low: number, content: number, bytes: number): number {
    let slot = this.#slotOf(high, low, content);
    for (;;) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number < 0) break;
      if (this.#low[number] === low && this.#high[number] === high && this.#content[number] === content) return number;
      slot = (slot + 1) & (this.#slots.length - 1);
    }
    if (this.isFull) return -1;
    if (this.#count === this.#high.length) {
      this.#grow();
      return this.numberOf(high, low, content, bytes);
    }
    const number = this.#count++;
    this.#high[number] = high;
    this.#low[number] = low;
    this.#content[number] = content;
    this.#bytes[number] = bytes;
    this.#slots[slot] = number + 1;
    return number;
  }

  addressOf(number: number): bigint {
    return (BigInt(this.#high[number] ?? 0) << 32n) | BigInt(this.#low[number] ?? 0);
  }

  bytesOf(number: number): number {
    return this.#bytes[number] ?? 0;
  }

  #slotOf(high: number, low: number, content: number): number {
    let mixed = Math.imul(low ^ content, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
    mixed ^= mixed >>> 15;
    return (Math.imul(mixed, 0x2c1b3c6d) >>> 7) & (this.#slots.length - 1);
  }

  #grow(): void {
    const size = this.#high.length * 2;
    this.#high = grown(this.#high, new Uint32Array(size));
    this.#low = grown(this.#low, new Uint32Array(size));
    this.#content = grown(this.#content, new Uint32Array(size));
    this.#bytes = grown(this.#bytes, new Uint8Array(size));
    this.#slots = new Uint32Array(size * 2);
    for (let number = 0; number < this.#count; number++) {
      let slot = this.#slotOf(this.#high[number] ?? 0, this.#low[number] ?? 0, this.#content[number] ?? 0);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (this.#slots.length - 1);
      this.#slots[slot] = number + 1;
    }
  }
}

function grown<T extends Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
