import type { CommodoreBoard } from '../board/commodore-board.ts';
import type { Observation } from '../board/observation.ts';

export type BusWatcher = (kind: 'read' | 'write', address: number, value: number) => void;

/**
 * Lets somebody see accesses of the processor to the pages that are watched, writes before they happen. The board's own
 * methods are covered by others on this one instance, so that a machine whose memory nobody watches runs the plain ones.
 */
export function watchBus(
  board: CommodoreBoard,
  { readPages, writePages }: Observation,
  watcher: BusWatcher | undefined,
): void {
  if (watcher === undefined) {
    Reflect.deleteProperty(board, 'read');
    Reflect.deleteProperty(board, 'write');
    return;
  }
  const { read, write }: CommodoreBoard = Object.getPrototypeOf(board);
  board.read = (address) => {
    const value = read.call(board, address);
    if (readPages[address >> 8] !== 0) watcher('read', address, value);
    return value;
  };
  board.write = (address, value) => {
    if (writePages[address >> 8] !== 0) watcher('write', address, value);
    write.call(board, address, value);
  };
}
