import { hexWord } from '../../../formats/hex.ts';
import type { CommodoreBoard } from '../board/commodore-board.ts';
import { isProgramAt } from './breakpoints/program-gate.ts';
import type { CommodoreModel } from './commodore-model.ts';

/** Where BASIC's program begins. */
const startOfText = 0x2b;
/** Of IRQ and NMI. */
const vectors = [0x0314, 0x0318];

/** What is about to be loaded. */
export interface NextProgram {
  /** Where BASIC must begin for it, if RUN or LOAD is typed. */
  readonly basicStart?: number;
  readonly first: number;
  readonly last: number;
}

/** What an earlier program has left behind, at the prompt, that keeps the next one from running as it would on its own. */
export function leftovers(
  board: CommodoreBoard,
  model: CommodoreModel,
  { basicStart, first, last }: NextProgram,
): string | undefined {
  const { ram } = board;
  const { cells } = model;
  const word = (at: number) => (ram[at] ?? 0) | ((ram[at + 1] ?? 0) << 8);
  const handler = vectors
    .map(word)
    .find((address) => address >= first && address <= last && isProgramAt(address, board, model));
  if (handler !== undefined)
    return `interrupts were still served at ${hexWord(handler)}, which this program overwrites`;
  if (basicStart === undefined) return undefined;
  if (word(startOfText) !== basicStart) return `BASIC had been moved to ${hexWord(word(startOfText))}`;
  if (cells.keyBufferRoom !== undefined && ram[cells.keyBufferRoom] === 0) {
    return 'the keyboard buffer had been switched off';
  }
  return undefined;
}
