import type { Mark } from '../../shared/history.ts';
import type { ChipTap } from '../board/chip-tap.ts';
import type { CommodoreBoard } from '../board/commodore-board.ts';
import type { CommodoreTimeline } from './commodore-timeline.ts';

/** Looks on while the past is run again. */
export interface PastWatcher extends ChipTap {
  /** The stretch begins here. */
  begin(): void;
  /** Before each cycle. */
  before?(): void;
  /** Writes to any address, chips or not, before they happen. */
  memory?(address: number, value: number): void;
  /** After each cycle. */
  cycle(): void;
  /** The stretch is over; the machine is still there. */
  end?(): void;
}

const cyclesBetweenLooks = 64;

/**
 * Runs a stretch of the past again, cycle by cycle, in pieces. Before and after each piece the machine is as it was, so that nobody
 * ever meets it in its past.
 */
export class PastReview {
  readonly #board: CommodoreBoard;
  readonly #time: CommodoreTimeline;
  readonly #from: number;
  readonly #to: number;
  readonly #tap: (tap: ChipTap | undefined) => ChipTap | undefined;
  /** Where the last piece ended, with the picture so far. */
  #mark: { readonly state: Mark<Uint8Array>; readonly picture: Uint8Array } | undefined;
  #hasBegun = false;

  constructor(
    board: CommodoreBoard,
    time: CommodoreTimeline,
    span: { readonly from: number; readonly to: number },
    tap: (tap: ChipTap | undefined) => ChipTap | undefined,
  ) {
    this.#board = board;
    this.#time = time;
    this.#from = span.from;
    this.#to = span.to;
    this.#tap = tap;
  }

  /** A piece of it; `until` as `performance.now` counts. True when all is done. */
  run(watcher: PastWatcher, until: number): boolean {
    const { frame } = this.#board;
    const { history } = this.#time;
    const present = history.mark();
    const picture = frame.slice();
    const before = this.#tap(undefined);
    try {
      this.#enter();
      const isThere = this.#hasBegun || this.#time.runTo(this.#from, until);
      const isDone = isThere && this.#watch(watcher, until);
      if (!isDone) this.#mark = { state: history.mark(), picture: frame.slice() };
      return isDone;
    } finally {
      this.#tap(before);
      history.returnTo(present);
      frame.set(picture);
    }
  }

  #enter(): void {
    const { history } = this.#time;
    if (this.#mark === undefined) {
      history.rewindTo(this.#from);
      return;
    }
    history.returnTo(this.#mark.state);
    this.#board.frame.set(this.#mark.picture);
  }

  #watch(watcher: PastWatcher, until: number): boolean {
    const board = this.#board;
    if (!this.#hasBegun) watcher.begin();
    this.#hasBegun = true;
    this.#tap(watcher);
    const uncover = this.#cover(watcher);
    try {
      this.#tick(watcher, until);
    } finally {
      uncover();
    }
    if (board.cycles < this.#to) return false;
    watcher.end?.();
    return true;
  }

  #tick(watcher: PastWatcher, until: number): void {
    const board = this.#board;
    const { history } = this.#time;
    while (board.cycles < this.#to) {
      const end = Math.min(this.#to, board.cycles + cyclesBetweenLooks);
      let nextInput = history.nextInputTime;
      while (board.cycles < end) {
        watcher.before?.();
        board.tick();
        watcher.cycle();
        if (board.cycles < nextInput) continue;
        history.giveInputs();
        nextInput = history.nextInputTime;
      }
      if (performance.now() >= until) break;
    }
  }

  /** As whoever watches memory does: by a method of this one board that covers its own, and what covers that. */
  #cover(watcher: PastWatcher): () => void {
    const board = this.#board;
    if (!watcher.memory) return () => {};
    const covered = Object.getOwnPropertyDescriptor(board, 'write');
    const { write } = board;
    board.write = (address, value) => {
      watcher.memory?.(address, value);
      write.call(board, address, value);
    };
    return () => {
      if (covered) Object.defineProperty(board, 'write', covered);
      else Reflect.deleteProperty(board, 'write');
    };
  }
}
