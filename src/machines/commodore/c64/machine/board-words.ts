import type { C64Board } from '../c64-board.ts';
import { c64Layout } from '../c64-state.ts';

/** The words of one part of the board's state, for those who look at it. */
export function boardWords<State extends Int32Array>(board: C64Board, part: keyof typeof c64Layout.offsets): State {
  const { buffer, byteOffset } = board.bytes;
  const offset = byteOffset + c64Layout.offsets[part];
  return new Int32Array(buffer, offset, (c64Layout.byteLength - c64Layout.offsets[part]) >> 2) as State;
}
