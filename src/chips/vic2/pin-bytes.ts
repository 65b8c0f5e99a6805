/* What the CPU leaves on the chip's data pins in cycles with sprite accesses that are made later. */

const NOTHING = 0xff;
/** Not less than the cycles of a line. */
const CYCLES = 72;

export class PinBytes {
  readonly #bytes = new Uint8Array(CYCLES + 1).fill(NOTHING);
  #left = 0;

  /** Whether the CPU has used the chip in none of the cycles that are not worked off yet. */
  get areFree(): boolean {
    return this.#left === 0;
  }

  put(cycle: number, byte: number): void {
    if (byte !== NOTHING && this.#bytes[cycle] === NOTHING) this.#left += 1;
    else if (byte === NOTHING && this.#bytes[cycle] !== NOTHING) this.#left -= 1;
    this.#bytes[cycle] = byte;
  }

  /** The byte that a cycle ends with, once. */
  take(cycle: number): number {
    if (this.#left === 0) return NOTHING;
    const byte = this.#bytes[cycle] as number;
    if (byte !== NOTHING) {
      this.#left -= 1;
      this.#bytes[cycle] = NOTHING;
    }
    return byte;
  }
}
