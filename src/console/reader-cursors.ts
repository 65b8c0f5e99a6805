import type { OutputRing } from '../machine/console.ts';

/** Readers name themselves; the one that was not heard of for longest is forgotten beyond this. */
const maxReaders = 1000;

/** Where each named reader of a ring stopped. */
export class ReaderCursors {
  readonly #ring: OutputRing;
  readonly #offsets = new Map<string, number>();

  constructor(ring: OutputRing) {
    this.#ring = ring;
  }

  get(reader: string): number {
    return this.#offsets.get(reader) ?? this.#ring.start;
  }

  forgetSession(session: string): void {
    for (const reader of this.#offsets.keys()) if (reader.endsWith(`@${session}`)) this.#offsets.delete(reader);
  }

  set(reader: string, offset: number): void {
    this.#offsets.delete(reader);
    this.#offsets.set(reader, Math.min(Math.max(0, Math.trunc(offset) || 0), this.#ring.end));
    const oldest = this.#offsets.keys().next().value;
    if (this.#offsets.size > maxReaders && oldest !== undefined) this.#offsets.delete(oldest);
  }
}
