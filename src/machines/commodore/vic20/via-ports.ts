import { type Via6522State, fields as via } from '../../../chips/via6522/fields.ts';
import type { Via6522 } from '../../../chips/via6522/via6522.ts';
import { KeyboardLooks } from '../board/keyboard-looks.ts';
import { isMatrixKeyDown, matrixLevels, setMatrixKey } from '../board/matrix-levels.ts';
import { type BoardState, boardFields } from './vic20-state.ts';

/** Lines of the serial bus, as the computer pulls them: false = low. */
export interface SerialLines {
  readonly atn: boolean;
  readonly clock: boolean;
  readonly data: boolean;
}

/** Who hears of what the VIAs drive. */
interface Wires {
  serialChanged(atn: boolean, clock: boolean, data: boolean): void;
  setLightPen(level: number): void;
  setTapeMotor(isOn: boolean): void;
  setTapeWrite(isHigh: boolean): void;
}

/**
 * What hangs on the two VIAs.
 *
 *   VIA 1   PA0, 1 serial clock and data in   PA2-4 joystick up, down, left   PA5 fire, light pen   PA6 tape sense
 *           PA7 attention out   PB user port   CA1 RESTORE   CA2 tape motor   CB1, CB2 user port
 *   VIA 2   PA keyboard rows   PB keyboard columns; PB3 tape write, PB7 joystick right
 *           CA1 tape read   CA2 serial clock out   CB1 service request   CB2 serial data out
 *
 * Serial lines are inverted on their way out: a pin that is high, or an input, pulls.
 */
export class ViaPorts {
  readonly looks = new KeyboardLooks();
  readonly #via1: Via6522;
  readonly #v1: Via6522State;
  readonly #v2: Via6522State;
  readonly #board: BoardState;
  readonly #keys: Int32Array;
  readonly #wires: Wires;

  constructor(via1: Via6522, v1: Via6522State, v2: Via6522State, board: BoardState, wires: Wires) {
    this.#via1 = via1;
    this.#v1 = v1;
    this.#v2 = v2;
    this.#board = board;
    this.#keys = board.subarray(boardFields.keys, boardFields.keys + 8);
    this.#wires = wires;
  }

  /** The outputs may be different. */
  changed(): void {
    const { atn, clock, data } = this.serialLines;
    this.#wires.serialChanged(atn, clock, data);
    this.#wires.setTapeMotor(this.#v1[via.ca2Out] === 0);
    this.#wires.setTapeWrite((this.#v2[via.pbOut] & 8) !== 0);
    this.sense();
  }

  get serialLines(): SerialLines {
    return {
      atn: (this.#v1[via.paOut] & 0x80) === 0,
      clock: this.#v2[via.ca2Out] === 0,
      data: this.#v2[via.cb2Out] === 0,
    };
  }

  /** What VIA 2's outputs for the serial bus and VIA 1's for the motor are, as one number: they may change on their own. */
  get handshakeLevels(): number {
    return this.#v2[via.ca2Out] | (this.#v2[via.cb2Out] << 1) | (this.#v1[via.ca2Out] << 2);
  }

  /** Lines as drives pull them: false = low. */
  setSerialLines(clock: boolean, data: boolean): void {
    this.#board[boardFields.iecClock] = clock ? 1 : 0;
    this.#board[boardFields.iecData] = data ? 1 : 0;
    this.#sense1();
  }

  /** Brings the inputs of both up to date. */
  sense(): void {
    this.#sense1();
    const stick = (this.#board[boardFields.joystick] & 8) !== 0 ? 0x7f : 0xff;
    const { columns, rows } = matrixLevels(this.#keys, this.#v2[via.pbOut] & stick, this.#v2[via.paOut]);
    this.#v2[via.paIn] = rows;
    this.#v2[via.pbIn] = columns;
  }

  /** A program is about to read a register of VIA 2. */
  beforeRead(register: number): void {
    if (register === 0) this.looks.atColumns(this.#v2[via.paOut]);
    else if (register === 1 || register === 15) this.looks.atRows(this.#v2[via.pbOut]);
  }

  #sense1(): void {
    const board = this.#board;
    const stick = board[boardFields.joystick];
    const clock = this.#v2[via.ca2Out] === 0 && board[boardFields.iecClock] !== 0;
    const data = this.#v2[via.cb2Out] === 0 && board[boardFields.iecData] !== 0;
    const isFireDown = (stick & 16) !== 0 || board[boardFields.penLow] !== 0;
    const pressed = ((stick & 7) << 2) | (isFireDown ? 0x20 : 0) | (board[boardFields.tapeSense] !== 0 ? 0x40 : 0);
    this.#v1[via.paIn] = 0x80 | (~pressed & 0x7c) | (clock ? 1 : 0) | (data ? 2 : 0);
    this.#via1.setPortB(board[boardFields.userPort]);
    this.#wires.setLightPen((this.#v1[via.paOut] & this.#v1[via.paIn] & 0x20) >> 5);
  }

  // ---- from outside

  /** Presses or releases the key at a column (port B) and row (port A) of the matrix. */
  setKey(column: number, row: number, isDown: boolean): void {
    setMatrixKey(this.#keys, column, row, isDown);
    this.sense();
  }

  isKeyDown(column: number, row: number): boolean {
    return isMatrixKeyDown(this.#keys, column, row);
  }

  releaseAllKeys(): void {
    this.#keys.fill(0);
    this.sense();
  }

  /** RESTORE pulls CA1 of VIA 1. */
  setRestore(isDown: boolean): void {
    this.#board[boardFields.restore] = isDown ? 1 : 0;
    this.#via1.setCa1(isDown ? 0 : 1);
  }

  get isRestoreDown(): boolean {
    return this.#board[boardFields.restore] !== 0;
  }

  /** Directions and fire as bits 0-4 (up, down, left, right, fire), 1 = pressed. */
  setJoystick(pressed: number): void {
    this.#board[boardFields.joystick] = pressed & 31;
    this.sense();
  }

  setTapeSense(isDown: boolean): void {
    this.#board[boardFields.tapeSense] = isDown ? 1 : 0;
    this.#sense1();
  }

  /** Pins of the user port: PB0-7 as levels. */
  setUserPort(pins: number): void {
    this.#board[boardFields.userPort] = pins & 255;
    this.#sense1();
  }
}
