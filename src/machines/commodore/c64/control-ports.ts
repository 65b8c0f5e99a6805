import { fields as ciaFields, type Mos6526State } from '../../../chips/mos6526/fields.ts';
import { fields as sidFields } from '../../../chips/sid/fields.ts';
import { KeyboardLooks } from '../board/keyboard-looks.ts';
import { isMatrixKeyDown, matrixLevels, setMatrixKey } from '../board/matrix-levels.ts';
import { type BoardState, boardFields } from './c64-state.ts';

const POT_X = sidFields.potX;
const POT_Y = sidFields.potY;

/** What hangs on CIA 1 and on the SID's potentiometer pins: keyboard, joysticks, paddles, and the light pen's line. */
export class ControlPorts {
  readonly looks = new KeyboardLooks();
  readonly #board: BoardState;
  readonly #keys: Int32Array;
  readonly #cia: Mos6526State;
  readonly #sid: Int32Array;
  readonly #setLightPen: (level: number) => void;

  constructor(board: BoardState, cia1: Mos6526State, sid: Int32Array, setLightPen: (level: number) => void) {
    this.#board = board;
    this.#keys = board.subarray(boardFields.keys, boardFields.keys + 8);
    this.#cia = cia1;
    this.#sid = sid;
    this.#setLightPen = setLightPen;
  }

  /** Columns on port A with joystick 2, rows on port B with joystick 1; row 4 is the light pen's line too. */
  sense(): void {
    const cia = this.#cia;
    const board = this.#board;
    const stick2 = ~board[boardFields.joystick2] & 0xff;
    const stick1 = ~board[boardFields.joystick1] & (board[boardFields.penLow] === 0 ? 0xff : 0xef);
    const { columns, rows } = matrixLevels(this.#keys, cia[ciaFields.paOut] & stick2, cia[ciaFields.pbOut] & stick1);
    cia[ciaFields.paIn] = columns;
    cia[ciaFields.pbIn] = rows;
    this.#setLightPen((rows >> 4) & 1);
    if (board[boardFields.potPorts] !== 0) this.#sensePaddles(cia[ciaFields.paOut] >> 6);
  }

  /** A program is about to read port A (0) or port B (1) of CIA 1. */
  beforeRead(register: number): void {
    this.sense();
    if (register === 1) this.looks.atRows(this.#cia[ciaFields.paOut]);
    else this.looks.atColumns(this.#cia[ciaFields.pbOut]);
  }

  /** Port A's upper bits switch the paddles of control port 1 (bit 6), 2 (bit 7) or both through to the SID. */
  #sensePaddles(selected: number): void {
    const pots = this.#board[boardFields.pots];
    const ports = this.#board[boardFields.potPorts] & selected;
    this.#sid[POT_X] = parallel(ports & 1 ? pots & 255 : 255, ports & 2 ? (pots >> 16) & 255 : 255);
    this.#sid[POT_Y] = parallel(ports & 1 ? (pots >> 8) & 255 : 255, ports & 2 ? pots >>> 24 : 255);
  }

  /** Presses or releases the key at a column (CIA 1 port A) and row (port B) of the matrix. */
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

  /** Directions and fire as bits 0-4 (up, down, left, right, fire), 1 = pressed. */
  setJoystick(port: number, pressed: number): void {
    this.#board[port === 1 ? boardFields.joystick1 : boardFields.joystick2] = pressed & 31;
    this.sense();
  }

  /** Paddles, or a mouse that pretends to be some, with positions from 0 to 255. */
  setPaddles(port: number, x: number, y: number): void {
    const board = this.#board;
    const shift = port === 1 ? 0 : 16;
    board[boardFields.pots] = (board[boardFields.pots] & ~(0xffff << shift)) | ((x | (y << 8)) << shift);
    board[boardFields.potPorts] |= port === 1 ? 1 : 2;
    this.sense();
  }

  /** The positions of a port's paddles. */
  paddles(port: number): { readonly x: number; readonly y: number } {
    const pots = this.#board[boardFields.pots] >> (port === 1 ? 0 : 16);
    return { x: pots & 255, y: (pots >> 8) & 255 };
  }
}

/** Two resistances on one pin, where 255 is none. */
function parallel(one: number, other: number): number {
  if (one === 255) return other;
  return other === 255 ? one : Math.floor((one * other) / Math.max(1, one + other));
}
