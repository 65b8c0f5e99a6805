import type { InstructionTable } from './instruction-table.ts';

/** The instructions of one run, a bit each. */
export class BlockRun {
  readonly name: string;
  readonly fromMs: number;
  /** Numbers below this one had run in an earlier run. */
  readonly knownBefore: number;
  #bits = new Uint32Array(128);
  toMs: number | undefined;
  note: string | undefined;
  /** Some instructions found no room. */
  isCut = false;

  constructor(name: string, fromMs: number, table: InstructionTable) {
    this.name = name;
    this.fromMs = fromMs;
    this.knownBefore = table.count;
  }

  mark(number: number): void {
    const word = number >>> 5;
    if (word >= this.#bits.length) {
      const bits = new Uint32Array(Math.max(word + 1, this.#bits.length * 2));
      bits.set(this.#bits);
      this.#bits = bits;
    }
    this.#bits[word] = (this.#bits[word] ?? 0) | (1 << (number & 31));
  }

  *numbers(): Generator<number> {
    for (let word = 0; word < this.#bits.length; word++) {
      let bits = this.#bits[word] ?? 0;
      while (bits !== 0) {
        const bit = 31 - Math.clz32(bits & -bits);
        yield word * 32 + bit;
        bits &= bits - 1;
      }
    }
  }
}
