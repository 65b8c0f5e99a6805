import type { Mark } from '../../shared/history.ts';
import type { CommodoreBoard } from '../board/commodore-board.ts';
import type { CommodoreTimeline } from './commodore-timeline.ts';

/** Looks on while the past is run again. */
export interface PastWatcher {
  /** The stretch begins here. */
  begin(): void;
  /** Before each cycle. */
  before?(): void;
  /** Of the processor; writes before they happen, reads with what was read. `board.chipsReached` says whether a chip answers. */
  access?(kind: 'read' | 'write', address: number, value: number): void;
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
  /** Where the last piece ended, with the picture so far. */
  #mark: { readonly state: Mark<Uint8Array>; readonly picture: Uint8Array } | undefined;
  #hasBegun = false;
  #reached: number;

  constructor(board: CommodoreBoard, time: CommodoreTimeline, span: { readonly from: number; readonly to: number }) {
    this.#board = board;
    this.#time = time;
    this.#from = span.from;
    this.#reached = span.from;
    this.#to = span.to;
  }

  /** The cycle up to which it has been shown. */
  get reached(): number {
    return this.#reached;
  }

  /** A piece of it; `until` as `performance.now` counts. True when all is done. */
  run(watcher: PastWatcher, until: number): boolean {
    const { frame } = this.#board;
    const { history } = this.#time;
    const present = history.mark();
    const picture = frame.slice();
    try {
      this.#enter();
      const isThere = this.#hasBegun || this.#time.runTo(this.#from, until);
      const isDone = isThere && this.#watch(watcher, until);
      if (this.#hasBegun) this.#reached = this.#board.cycles;
      if (!isDone) this.#mark = { state: history.mark(), picture: frame.slice() };
      return isDone;
    } finally {
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

  /** As whoever watches memory does: by methods of this one board that cover its own, and what covers those. */
  #cover(watcher: PastWatcher): () => void {
    const board = this.#board;
    if (!watcher.access) return () => {};
    const covered = (['read', 'write'] as const).map(
      (name) => [name, Object.getOwnPropertyDescriptor(board, name)] as const,
    );
    const { read, write } = board;
    board.read = (address) => {
      const value = read.call(board, address);
      watcher.access?.('read', address, value);
      return value;
    };
    board.write = (address, value) => {
      watcher.access?.('write', address, value);
      write.call(board, address, value);
    };
    return () => {
      // The last one first: an object that loses another property becomes slow for good.
      for (const [name, property] of covered.reverse()) {
        if (property) Object.defineProperty(board, name, property);
        else Reflect.deleteProperty(board, name);
      }
    };
  }
}
