import { type BoardState, boardFields as b } from './plus4-state.ts';

/** Lines of the serial bus, as the computer pulls them: false = low. */
export interface SerialLines {
  readonly atn: boolean;
  readonly clock: boolean;
  readonly data: boolean;
}

/** Who hears of what the port drives. */
interface Wires {
  serialChanged(atn: boolean, clock: boolean, data: boolean): void;
  setTapeMotor(isOn: boolean): void;
  setTapeWrite(isHigh: boolean): void;
}

/** Bits without a pin, and those that float high as inputs. */
const pins = 0xdf;
const floating = 0x0a;

/**
 * The port of the 7501 and 8501 at $00 and $01.
 *
 *   P0 serial data out   P1 serial clock out, tape write   P2 attention out   P3 tape motor (0: on)
 *   P4 tape read   P6 serial clock in   P7 serial data in
 *
 * The serial outputs are inverted on their way out: a pin that is high pulls its line.
 */
export class ProcessorPort {
  readonly #board: BoardState;
  readonly #wires: Wires;

  constructor(board: BoardState, wires: Wires) {
    this.#board = board;
    this.#wires = wires;
  }

  reset(): void {
    const board = this.#board;
    board[b.direction] = 0;
    board[b.data] = 0;
    board[b.driven] = 0;
    this.changed();
  }

  /** There is nothing to disturb, so a debugger may read as well. */
  read(register: number): number {
    const board = this.#board;
    const direction = board[b.direction];
    if (register === 0) return direction;
    const { clock, data } = this.serialLines;
    const isClockHigh = clock && board[b.iecClock] !== 0;
    const isDataHigh = data && board[b.iecData] !== 0;
    const inputs = floating | (board[b.tapeRead] << 4) | (isClockHigh ? 0x40 : 0) | (isDataHigh ? 0x80 : 0);
    return ((inputs & ~direction) | (board[b.driven] & direction)) & pins;
  }

  write(register: number, value: number): void {
    const board = this.#board;
    if (register === 0) board[b.direction] = value & pins;
    else board[b.data] = value;
    board[b.driven] = (board[b.driven] & ~board[b.direction]) | (board[b.data] & board[b.direction]);
    this.changed();
  }

  /** The outputs may be different. */
  changed(): void {
    const board = this.#board;
    const { atn, clock, data } = this.serialLines;
    this.#wires.serialChanged(atn, clock, data);
    this.#wires.setTapeMotor((board[b.direction] & ~board[b.data] & 8) !== 0);
    this.#wires.setTapeWrite((board[b.direction] & board[b.data] & 2) === 0);
  }

  get serialLines(): SerialLines {
    const driven = this.#board[b.driven];
    return { data: (driven & 1) === 0, clock: (driven & 2) === 0, atn: (driven & 4) === 0 };
  }

  /** Lines as drives pull them: false = low. */
  setSerialLines(clock: boolean, data: boolean): void {
    this.#board[b.iecClock] = clock ? 1 : 0;
    this.#board[b.iecData] = data ? 1 : 0;
  }
}
