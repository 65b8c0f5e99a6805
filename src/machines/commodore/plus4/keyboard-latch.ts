import { KeyboardLooks } from '../board/keyboard-looks.ts';
import { isMatrixKeyDown, matrixLevels, setMatrixKey } from '../board/matrix-levels.ts';
import { type BoardState, boardFields as b } from './plus4-state.ts';

/** Bits that a joystick's fire button pulls low, and those of $FF08 that select it, by port. */
const fire = [0x40, 0x80] as const;
const select = [4, 2] as const;

/** Keyboard and joysticks: a write to $FF08 asks the columns that the latch at $FD30 pulls low and the joysticks it selects. */
export class KeyboardLatch {
  readonly looks = new KeyboardLooks();
  readonly #board: BoardState;
  readonly #keys: Int32Array;

  constructor(board: BoardState) {
    this.#board = board;
    this.#keys = board.subarray(b.keys, b.keys + 8);
  }

  /** What the TED takes when `value` is written to $FF08: 0 for a row with a key down. */
  rows(value: number): number {
    const board = this.#board;
    this.looks.atRows(board[b.columns]);
    let { rows } = matrixLevels(this.#keys, board[b.columns], 0xff);
    for (const port of [0, 1] as const) {
      if ((value & select[port]) !== 0) continue;
      const pressed = board[b.joysticks + port] as number;
      rows &= ~((pressed & 15) | (pressed & 16 ? fire[port] : 0));
    }
    return rows & 0xff;
  }

  /** Presses or releases the key at a column ($FD30) and row of the matrix. */
  setKey(column: number, row: number, isDown: boolean): void {
    setMatrixKey(this.#keys, column, row, isDown);
  }

  isKeyDown(column: number, row: number): boolean {
    return isMatrixKeyDown(this.#keys, column, row);
  }

  releaseAllKeys(): void {
    this.#keys.fill(0);
  }

  /** Directions and fire as bits 0-4 (up, down, left, right, fire), 1 = pressed. */
  setJoystick(port: number, pressed: number): void {
    this.#board[b.joysticks + ((port - 1) & 1)] = pressed & 31;
  }
}
