import { C64Board } from '../c64-board.ts';
import type { Observation } from '../observation.ts';

export type BusWatcher = (kind: 'read' | 'write', address: number, value: number) => void;

const { read, write } = C64Board.prototype;

/**
 * Lets somebody see accesses of the processor to the pages that are watched, writes before they happen. The board's own
 * methods are covered by others on this one instance, so that a machine whose memory nobody watches runs the plain ones.
 */
export function watchBus(
  board: C64Board,
  { readPages, writePages }: Observation,
  watcher: BusWatcher | undefined,
): void {
  if (watcher === undefined) {
    Reflect.deleteProperty(board, 'read');
    Reflect.deleteProperty(board, 'write');
    return;
  }
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
