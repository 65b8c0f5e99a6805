/** A way back that can be shortened. */
export interface Shortened {
  /** What it takes. */
  readonly bytes: number;
  /** When its oldest keyframe was taken, as `performance.now` counts; undefined if that has to stay. */
  readonly oldest: number | undefined;
  forgetOldest(): void;
}

/** So much is given back at once, as a part of the limit, that looking for what is oldest pays. */
const givenBack = 1 / 16;

interface Share {
  readonly history: WeakRef<Shortened>;
  /** As it was told last. */
  bytes: number;
}

/** What one of them tells the others. */
export interface BudgetShare {
  /** A keyframe was taken. */
  grown(): void;
  leave(): void;
}

/** What the ways back of all machines in the process may take together. The oldest keyframes go first, whoever has them. */
export class HistoryBudget {
  limit: number;
  readonly #all = new Set<Share>();
  /** What all have told together: more than they take, if anything, as nobody tells of what they forget. */
  #told = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get bytes(): number {
    return this.#counted().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Counts it from now on. */
  include(history: Shortened): BudgetShare {
    const share: Share = { history: new WeakRef(history), bytes: 0 };
    this.#all.add(share);
    return {
      grown: () => {
        this.#tell(share, history.bytes);
        if (this.#told > this.limit) this.#shorten();
      },
      leave: () => {
        this.#tell(share, 0);
        this.#all.delete(share);
      },
    };
  }

  #tell(share: Share, bytes: number): void {
    this.#told += bytes - share.bytes;
    share.bytes = bytes;
  }

  #shorten(): void {
    const alive = this.#counted();
    if (this.#told <= this.limit) return;
    const goal = this.limit * (1 - givenBack);
    let bytes = this.#told;
    while (bytes > goal) {
      const oldest = oldestOf(alive);
      if (!oldest) return;
      const before = oldest.bytes;
      oldest.forgetOldest();
      bytes -= before - oldest.bytes;
    }
    this.#counted();
  }

  /** Those that are still there, each told anew. */
  #counted(): Shortened[] {
    const alive: Shortened[] = [];
    for (const share of this.#all) {
      const history = share.history.deref();
      this.#tell(share, history?.bytes ?? 0);
      if (history) alive.push(history);
      else this.#all.delete(share);
    }
    return alive;
  }
}

function oldestOf(histories: readonly Shortened[]): Shortened | undefined {
  let found: Shortened | undefined;
  for (const history of histories) {
    if (history.oldest !== undefined && history.oldest < (found?.oldest ?? Number.POSITIVE_INFINITY)) found = history;
  }
  return found;
}

/** Of this process. The server sets its limit. */
export const historyBudget = new HistoryBudget(1024 * 1024 * 1024);
