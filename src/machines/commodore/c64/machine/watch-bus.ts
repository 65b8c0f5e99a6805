import { C64Board } from '../c64-board.ts';

export type BusWatcher = (kind: 'read' | 'write', address: number, value: number) => void;

const { read, write } = C64Board.prototype;

/**
 * Lets somebody see every access of the processor, writes before they happen. The board's own methods are covered by
 * others on this one instance, so that a machine that nobody watches runs the plain ones.
 */
export function watchBus(board: C64Board, watcher: BusWatcher | undefined): void {
  board.isWatched = watcher !== undefined;
  if (watcher === undefined) {
    Reflect.deleteProperty(board, 'read');
    Reflect.deleteProperty(board, 'write');
    return;
  }
  board.read = (address) => {
    const value = read.call(board, address);
    watcher('read', address, value);
    return value;
  };
  board.write = (address, value) => {
    watcher('write', address, value);
    write.call(board, address, value);
  };
}
