import { partWords } from '../../board/part-words.ts';
import type { C64Board } from '../c64-board.ts';
import { c64Layout } from '../c64-state.ts';

/** The words of one part of the board's state, for those who look at it. */
export function boardWords<State extends Int32Array>(board: C64Board, part: keyof typeof c64Layout.offsets): State {
  return partWords(board.bytes, c64Layout, part);
}
