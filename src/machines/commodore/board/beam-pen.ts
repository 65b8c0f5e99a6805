const never = 0x3fff_ffff;

/** Where the video chip's beam is and goes. */
export interface Beam {
  readonly line: number;
  readonly cycle: number;
  readonly lines: number;
  readonly cyclesPerLine: number;
}

/**
 * A light pen: it pulls its line low for one cycle each time the beam passes under it. Where it is, and whether the line is low, are
 * words of the board; cycle 0 is nowhere.
 * Not emulated: that a real one sees nothing where the picture is black.
 */
export abstract class BeamPen<Place extends number> {
  readonly #words: { [place in Place]: number };
  readonly #line: Place;
  readonly #cycle: Place;
  readonly #low: Place;
  readonly #pulled: () => void;

  /** `pulled` is told that the line has changed. */
  constructor(
    words: { [place in Place]: number },
    places: { readonly penLine: Place; readonly penCycle: Place; readonly penLow: Place },
    pulled: () => void,
  ) {
    this.#words = words;
    this.#line = places.penLine;
    this.#cycle = places.penCycle;
    this.#low = places.penLow;
    this.#pulled = pulled;
  }

  protected abstract get beam(): Beam;

  /** Whether the chip would take notice of the line. */
  protected abstract get isSeen(): boolean;

  /** The line has been low for its cycle. */
  protected abstract seen(): void;

  protected put(line: number, cycle: number): void {
    this.#words[this.#line] = line;
    this.#words[this.#cycle] = cycle;
  }

  lift(): void {
    this.#words[this.#cycle] = 0;
  }

  /** How many cycles after this one it can be left alone. */
  quietCycles(): number {
    const words = this.#words;
    if (words[this.#low] !== 0) return 0;
    if (words[this.#cycle] === 0) return never;
    const { line, cycle, lines, cyclesPerLine } = this.beam;
    const frame = cyclesPerLine * lines;
    const now = line * cyclesPerLine + cycle;
    const away = (words[this.#line] * cyclesPerLine + words[this.#cycle] - now + 2 * frame) % frame;
    return away === 0 ? frame - 1 : away - 1;
  }

  tick(): void {
    const words = this.#words;
    if (words[this.#low] !== 0) {
      words[this.#low] = 0;
      this.seen();
      this.#pulled();
      return;
    }
    if (words[this.#cycle] === 0) return;
    const { line, cycle } = this.beam;
    if (cycle !== words[this.#cycle] || line !== words[this.#line] || !this.isSeen) return;
    words[this.#low] = 1;
    this.#pulled();
  }
}
