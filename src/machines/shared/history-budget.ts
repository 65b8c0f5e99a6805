import type { HistoryPool } from './history-pool.ts';

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

interface Alive {
  readonly share: Share;
  readonly history: Shortened;
}

/** What one of them tells the others. */
export interface BudgetShare {
  /** A keyframe was taken. */
  grown(): void;
  leave(): void;
}

/** How far over the limit, as a part of it, a thread waits for another one that has the oldest and does not hear. */
const waitedFor = 1 / 4;

/** The ways back in other threads, which count together with those here. */
export type OtherThreads = Pick<HistoryPool, 'tell' | 'othersBytes' | 'othersOldest' | 'ask' | 'onAsked'>;

/** What the ways back of all machines in the process may take together. The oldest keyframes go first, whoever has them. */
export class HistoryBudget {
  limit: number;
  readonly #all = new Set<Share>();
  /** What all have told together: more than they take, if anything, as nobody tells of what they forget. */
  #told = 0;
  /** Never later than the truth. */
  #oldest = Number.POSITIVE_INFINITY;
  #others: OtherThreads | undefined;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** In this thread. */
  get bytes(): number {
    return this.#counted().reduce((sum, { history }) => sum + history.bytes, 0);
  }

  /** From now on the limit is for this thread and others together. */
  join(others: OtherThreads): void {
    this.#others = others;
    others.onAsked = () => this.#shorten();
    this.#publish();
  }

  /** Counts it from now on. */
  include(history: Shortened): BudgetShare {
    const share: Share = { history: new WeakRef(history), bytes: 0 };
    this.#all.add(share);
    return {
      grown: () => {
        this.#tell(share, history.bytes);
        this.#publish(Math.min(this.#oldest, history.oldest ?? Number.POSITIVE_INFINITY));
        if (this.#together > this.limit) this.#recount();
      },
      leave: () => {
        this.#tell(share, 0);
        this.#all.delete(share);
        this.#publish();
      },
    };
  }

  get #together(): number {
    return this.#told + (this.#others?.othersBytes ?? 0);
  }

  #tell(share: Share, bytes: number): void {
    this.#told += bytes - share.bytes;
    share.bytes = bytes;
  }

  #publish(oldest = this.#oldest): void {
    this.#oldest = oldest;
    this.#others?.tell(this.#told, oldest);
  }

  #recount(): void {
    const alive = this.#counted();
    this.#publish();
    if (this.#together > this.limit) this.#shorten(alive);
  }

  #shorten(alive = this.#counted()): void {
    const goal = this.limit * (1 - givenBack);
    let oldest = oldestOf(alive);
    this.#publish(oldest?.history.oldest ?? Number.POSITIVE_INFINITY);
    while (this.#together > goal) {
      if (this.#others && this.#others.othersOldest < this.#oldest) {
        // It goes on from there, and may come back.
        this.#others.ask();
        if (this.#together <= this.limit * (1 + waitedFor)) return;
      }
      if (!oldest) return;
      oldest.history.forgetOldest();
      this.#tell(oldest.share, oldest.history.bytes);
      oldest = oldestOf(alive);
      this.#publish(oldest?.history.oldest ?? Number.POSITIVE_INFINITY);
    }
  }

  /** Those that are still there, each told anew. */
  #counted(): Alive[] {
    const alive: Alive[] = [];
    for (const share of this.#all) {
      const history = share.history.deref();
      this.#tell(share, history?.bytes ?? 0);
      if (history) alive.push({ share, history });
      else this.#all.delete(share);
    }
    return alive;
  }
}

function oldestOf(all: readonly Alive[]): Alive | undefined {
  let found: Alive | undefined;
  let earliest = Number.POSITIVE_INFINITY;
  for (const each of all) {
    const { oldest } = each.history;
    if (oldest === undefined || oldest >= earliest) continue;
    found = each;
    earliest = oldest;
  }
  return found;
}

/** Of this thread. The server sets its limit. */
export const historyBudget = new HistoryBudget(1024 * 1024 * 1024);
