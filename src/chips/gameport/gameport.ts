import { readWide, writeWide } from '../wide-word.ts';
import { fields, stateWords } from './fields.ts';

export interface GameportWires {
  now(): number;
  readonly instructionsPerSecond: number;
}

/** A one-shot runs 24.2 microseconds and 11 for each kilohm, of which a stick has up to 100. */
const BASE_US = 24.2;
const FULL_US = 1_100;

/**
 * The game adapter at port 201h: a write starts a one-shot for each of four axes, whose bit (0-3) stays set for as long as the
 * stick's resistance says; bits 4-7 are clear for buttons that are pressed.
 *
 * Source: IBM Game Control Adapter (1983). Not emulated: noise and drift of the resistances.
 */
export class Gameport {
  readonly #s: Int32Array;
  readonly #wires: GameportWires;

  constructor(state: Int32Array, wires: GameportWires) {
    this.#s = state;
    this.#wires = wires;
  }

  /** Nothing is plugged in. */
  powerOn(): void {
    this.#s.fill(0, 0, stateWords);
    this.#s.fill(-1, fields.axes, fields.axes + 4);
  }

  /** Stick 0 or 1: positions 0 to 255 (128 is the middle), two buttons as bits. */
  setStick(stick: number, x: number, y: number, buttons: number): void {
    this.#s[fields.axes + stick * 2] = x;
    this.#s[fields.axes + stick * 2 + 1] = y;
    const shift = stick * 2;
    this.#s[fields.buttons] = (this.#s[fields.buttons] & ~(3 << shift)) | ((buttons & 3) << shift);
  }

  /** Positions as INT 15h AH=84h gives them: 0 for a stick that is not there. */
  get axes(): readonly number[] {
    return [0, 1, 2, 3].map((axis) => Math.max(0, this.#s[fields.axes + axis]));
  }

  read(): number {
    const now = this.#wires.now();
    let value = ~(this.#s[fields.buttons] << 4) & 0xf0;
    for (let axis = 0; axis < 4; axis++) if (now < readWide(this.#s, fields.ends + axis * 2)) value |= 1 << axis;
    return value;
  }

  write(): void {
    for (let axis = 0; axis < 4; axis++) {
      const position = this.#s[fields.axes + axis];
      // With nothing plugged in the capacitor is never charged.
      const microseconds = position < 0 ? Number.MAX_SAFE_INTEGER / 1e9 : BASE_US + (position * FULL_US) / 255;
      const instructions = Math.round((microseconds * this.#wires.instructionsPerSecond) / 1e6);
      writeWide(this.#s, fields.ends + axis * 2, this.#wires.now() + instructions);
    }
  }
}
