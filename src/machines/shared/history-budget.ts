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

/** What the ways back of all machines in the process may take together. The oldest keyframes go first, whoever has them. */
export class HistoryBudget {
  limit: number;
  readonly #all = new Set<WeakRef<Shortened>>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get bytes(): number {
    return this.#alive().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Counts it from now on; the answer takes it back. */
  include(history: Shortened): () => void {
    const entry = new WeakRef(history);
    this.#all.add(entry);
    return () => this.#all.delete(entry);
  }

  /** Called when a keyframe was taken. */
  keep(): void {
    const alive = this.#alive();
    let bytes = alive.reduce((sum, each) => sum + each.bytes, 0);
    if (bytes <= this.limit) return;
    const goal = this.limit * (1 - givenBack);
    while (bytes > goal) {
      const oldest = oldestOf(alive);
      if (!oldest) return;
      const before = oldest.bytes;
      oldest.forgetOldest();
      bytes -= before - oldest.bytes;
    }
  }

  #alive(): Shortened[] {
    const alive: Shortened[] = [];
    for (const entry of this.#all) {
      const history = entry.deref();
      if (history) alive.push(history);
      else this.#all.delete(entry);
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
