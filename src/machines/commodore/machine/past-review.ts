import type { Mark } from '../../shared/history.ts';
import type { ChipTap } from '../board/chip-tap.ts';
import type { CommodoreBoard } from '../board/commodore-board.ts';
import type { CommodoreTimeline } from './commodore-timeline.ts';

/** Looks on while the past is run again. */
export interface PastWatcher extends ChipTap {
  /** The stretch begins here. */
  begin(): void;
  /** After each cycle. */
  cycle(): void;
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
    const { history } = this.#time;
    if (!this.#hasBegun) watcher.begin();
    this.#hasBegun = true;
    this.#tap(watcher);
    while (board.cycles < this.#to) {
      const end = Math.min(this.#to, board.cycles + cyclesBetweenLooks);
      let nextInput = history.nextInputTime;
      while (board.cycles < end) {
        board.tick();
        watcher.cycle();
        if (board.cycles < nextInput) continue;
        history.giveInputs();
        nextInput = history.nextInputTime;
      }
      if (performance.now() >= until) break;
    }
    return board.cycles >= this.#to;
  }
}
