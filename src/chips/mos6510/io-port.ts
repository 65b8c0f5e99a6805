/**
 * The 6510's port at $00 (direction) and $01 (data). Pins 0-2 go to the PLA, 3-5 to the datasette; 6 and 7 have no pin:
 * as inputs they keep the charge of their last output for about a third of a second.
 *
 * Sources: VICE's test programs CPU/cpuport. Not emulated: the scatter of the discharge (it takes the same time always).
 */
export const portFields = {
  direction: 0,
  data: 1,
  /** The last level driven on each pin, which floating pins keep. */
  driven: 2,
  /** Charge of bits 6 and 7, and when each is gone, as two words of 31 bits. */
  charge: 3,
  fade6Low: 4,
  fade6High: 5,
  fade7Low: 6,
  fade7High: 7,
  /** Input: 1 while a key of the datasette is down. */
  tapeSense: 8,
} as const;

export const portStateWords = 9;

type PortState = Int32Array & Record<(typeof portFields)[keyof typeof portFields], number>;

const DIRECTION = portFields.direction;
const DATA = portFields.data;
const DRIVEN = portFields.driven;
const CHARGE = portFields.charge;
const TAPE_SENSE = portFields.tapeSense;

const fadeCycles = 350_000;
const pulledUp = 0x17;
const wordSpan = 0x8000_0000;

export class IoPort {
  readonly #state: PortState;

  constructor(state: Int32Array) {
    this.#state = state as PortState;
  }

  reset(): void {
    const tapeSense = this.#state[TAPE_SENSE];
    this.#state.fill(0);
    this.#state[TAPE_SENSE] = tapeSense;
  }

  /** LORAM, HIRAM, CHAREN as bits 0-2: pins that are inputs are pulled up. */
  get banking(): number {
    return (~this.#state[DIRECTION] | this.#state[DATA]) & 7;
  }

  /** The datasette's motor has current: bit 5 is an output and low. */
  get tapeMotor(): boolean {
    return (this.#state[DIRECTION] & ~this.#state[DATA] & 0x20) !== 0;
  }

  /** The level of the datasette's WRITE line. */
  get tapeWrite(): boolean {
    return (this.#state[DIRECTION] & this.#state[DATA] & 8) !== 0;
  }

  /** A key of the datasette is down. */
  setTapeSense(isDown: boolean): void {
    this.#state[TAPE_SENSE] = isDown ? 1 : 0;
  }

  /** Reads at the given cycle; there is nothing to disturb, so a debugger may read as well. */
  read(register: number, clock: number): number {
    const state = this.#state;
    const direction = state[DIRECTION];
    if (register === 0) return direction;
    const inputs = ~direction & 255;
    let value = (state[DATA] | inputs) & (state[DRIVEN] | pulledUp) & 255;
    if (inputs & 0x20) value &= ~0x20;
    if (inputs & 0x10 && state[TAPE_SENSE]) value &= ~0x10;
    const floating = inputs & 0xc0;
    return (value & ~floating) | (floating & this.#charge(clock));
  }

  write(register: number, value: number, clock: number): void {
    const state = this.#state;
    const outputs = state[DIRECTION];
    if (register === 0) {
      // A pin that was an output and becomes an input keeps its level for a while.
      this.#charged(outputs & ~value & 0xc0, state[DATA], clock);
      state[DIRECTION] = value;
    } else {
      this.#charged(outputs & 0xc0, value, clock);
      state[DATA] = value;
    }
    state[DRIVEN] = (state[DRIVEN] & ~state[DIRECTION]) | (state[DATA] & state[DIRECTION]);
  }

  #charged(bits: number, levels: number, clock: number): void {
    if (bits === 0) return;
    const state = this.#state;
    state[CHARGE] = (state[CHARGE] & ~bits) | (levels & bits);
    const gone = clock + fadeCycles;
    if (bits & 0x40) {
      state[portFields.fade6Low] = gone % wordSpan;
      state[portFields.fade6High] = Math.floor(gone / wordSpan);
    }
    if (bits & 0x80) {
      state[portFields.fade7Low] = gone % wordSpan;
      state[portFields.fade7High] = Math.floor(gone / wordSpan);
    }
  }

  #charge(clock: number): number {
    const state = this.#state;
    const gone6 = state[portFields.fade6High] * wordSpan + state[portFields.fade6Low];
    const gone7 = state[portFields.fade7High] * wordSpan + state[portFields.fade7Low];
    return state[CHARGE] & ((gone6 < clock ? 0 : 0x40) | (gone7 < clock ? 0 : 0x80));
  }
}
