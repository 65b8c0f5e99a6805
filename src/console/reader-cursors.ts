import type { OutputRing } from '../machine/console.ts';

/** Readers name themselves; the one that was not heard of for longest is forgotten beyond this. */
const maxReaders = 1000;
/** Of those who may only look, whose readers cannot push out those of others. */
const lookers = '@~';

/** Where each named reader of a ring stopped. */
export class ReaderCursors {
  readonly #ring: OutputRing;
  readonly #pools = { lookers: new Map<string, number>(), others: new Map<string, number>() };

  constructor(ring: OutputRing) {
    this.#ring = ring;
  }

  get(reader: string): number {
    return this.#poolOf(reader).get(reader) ?? this.#ring.start;
  }

  forgetSession(session: string): void {
    for (const pool of Object.values(this.#pools)) {
      for (const reader of pool.keys()) {
        if (reader.endsWith(`@${session}`) || reader.endsWith(lookers + session)) pool.delete(reader);
      }
    }
  }

  set(reader: string, offset: number): void {
    const pool = this.#poolOf(reader);
    pool.delete(reader);
    pool.set(reader, Math.min(Math.max(0, Math.trunc(offset) || 0), this.#ring.end));
    const oldest = pool.keys().next().value;
    if (pool.size > maxReaders && oldest !== undefined) pool.delete(oldest);
  }

  #poolOf(reader: string): Map<string, number> {
    return reader.includes(lookers) ? this.#pools.lookers : this.#pools.others;
  }
}
