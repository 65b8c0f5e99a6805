import { boardFields } from './pc-layout.ts';

const strobe = 1;
/** Not busy, acknowledged, paper, selected, no error. */
const ready = 0xdf;

/** LPT1: a byte is printed when the strobe falls. */
export class ParallelPort {
  readonly #words: Int32Array;
  readonly #print: (byte: number) => void;

  constructor(words: Int32Array, print: (byte: number) => void) {
    this.#words = words;
    this.#print = print;
  }

  read(port: number): number {
    if ((port & 3) === 0) return this.#words[boardFields.lptData] ?? 0;
    return (port & 3) === 1 ? ready : (this.#words[boardFields.lptControl] ?? 0) | 0xe0;
  }

  write(port: number, value: number): void {
    if ((port & 3) === 0) this.#words[boardFields.lptData] = value;
    if ((port & 3) !== 2) return;
    const before = this.#words[boardFields.lptControl] ?? 0;
    this.#words[boardFields.lptControl] = value & 0x1f;
    if (before & strobe && !(value & strobe)) this.#print(this.#words[boardFields.lptData] ?? 0);
  }
}
