/** Numbers that depend on two seeds alone, and look as if they did not. */
export class RandomNumbers {
  #state: number;

  constructor(seed: number, index: number) {
    this.#state = mixed(mixed(seed >>> 0) + Math.imul(index + 1, 0x9e37_79b9));
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x9e37_79b9) >>> 0;
    return mixed(this.#state) / 0x1_0000_0000;
  }

  /** A whole number from 0 to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  get state(): number {
    return this.#state;
  }

  set state(state: number) {
    this.#state = state >>> 0;
  }
}

function mixed(value: number): number {
  let bits = value >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0_aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a_2d97);
  return (bits ^ (bits >>> 15)) >>> 0;
}
