import { fields as ciaFields, type Mos6526State } from '../../../chips/mos6526/fields.ts';
import { type BoardState, boardFields } from './c64-state.ts';

/** Lines of the serial bus, as the computer pulls them: false = low. */
export interface SerialLines {
  readonly atn: boolean;
  readonly clock: boolean;
  readonly data: boolean;
}

/** Who hears of changes. */
interface Wires {
  serialChanged(atn: boolean, clock: boolean, data: boolean): void;
  /** Called before and after a change of the VIC's bank. */
  bankChanging(): void;
  bankChanged(): void;
}

/** What hangs on port A of CIA 2: the VIC's bank (inverted), and the serial bus, inverted on its way out and back on the wire. */
export class Cia2Port {
  readonly #cia: Mos6526State;
  readonly #board: BoardState;
  readonly #wires: Wires;

  constructor(cia2: Mos6526State, board: BoardState, wires: Wires) {
    this.#cia = cia2;
    this.#board = board;
    this.#wires = wires;
  }

  /** The port may drive its lines differently. */
  changed(): void {
    const out = this.#cia[ciaFields.paOut];
    const bank = ~out & 3;
    this.#sense();
    this.#wires.serialChanged((out & 8) === 0, (out & 16) === 0, (out & 32) === 0);
    if (bank === this.#board[boardFields.vicBank]) return;
    this.#wires.bankChanging();
    this.#board[boardFields.vicBank] = bank;
    this.#wires.bankChanged();
  }

  /** Lines as drives pull them: false = low. */
  setSerialLines(clock: boolean, data: boolean): void {
    this.#board[boardFields.iecClock] = clock ? 1 : 0;
    this.#board[boardFields.iecData] = data ? 1 : 0;
    this.#sense();
  }

  /** Port B, all of which goes to the user port: pins as levels. */
  setUserPort(pins: number): void {
    this.#cia[ciaFields.pbIn] = pins & 255;
  }

  get serialLines(): SerialLines {
    const out = this.#cia[ciaFields.paOut];
    return { atn: (out & 8) === 0, clock: (out & 16) === 0, data: (out & 32) === 0 };
  }

  #sense(): void {
    // A pin that is an input floats high, which the inverters turn into a line pulled low.
    const driven = this.#cia[ciaFields.paOut];
    const clock = (driven & 0x10) === 0 && this.#board[boardFields.iecClock] !== 0;
    const data = (driven & 0x20) === 0 && this.#board[boardFields.iecData] !== 0;
    this.#cia[ciaFields.paIn] = 0x3f | (clock ? 0x40 : 0) | (data ? 0x80 : 0);
  }
}
