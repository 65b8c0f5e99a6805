import type { FleetLine } from './fleet-line.ts';
import { type NameRecord, recordFrom } from './names.ts';
import { ensureStreams, isNotFound, namesStream } from './streams.ts';
import { subjects } from './subjects.ts';

const atOnce = 64;

export interface Counted {
  /** The number of the last claim that this knows of. */
  readonly lastSequence: number;
  readonly records: ReadonlyMap<string, NameRecord>;
}

/** All names of the fleet with what is written down of them. Only what is new since the last time is read. */
export class Census {
  readonly #line: FleetLine;
  #created = '';
  #next = 1;
  #known = new Map<string, NameRecord>();

  constructor(line: FleetLine) {
    this.#line = line;
  }

  async read(): Promise<Counted> {
    const { manager } = await this.#line.streams();
    await ensureStreams(manager);
    // The server says first what its last number is, then which names there are: a claim between the two is no harm.
    const { created, state } = await manager.streams.info(namesStream, { subjects_filter: subjects.allNames });
    const names = Object.keys(state.subjects ?? {}).map((subject) => subjects.machineOf(subject));
    if (created !== this.#created) {
      this.#created = created;
      this.#next = 1;
      this.#known.clear();
    }
    const last = state.last_seq;
    const isShort = last - this.#next < names.length;
    const wanted = isShort
      ? Array.from({ length: Math.max(0, last - this.#next + 1) }, (_, index) => ({ seq: this.#next + index }))
      : names.map((name) => ({ last_by_subj: subjects.name(name) }));
    for (let at = 0; at < wanted.length; at += atOnce) {
      await Promise.all(wanted.slice(at, at + atOnce).map((query) => this.#take(query)));
    }
    const there = new Set(names);
    this.#known = new Map([...this.#known].filter(([name]) => there.has(name)));
    this.#next = last + 1;
    return { lastSequence: last, records: this.#known };
  }

  /** A first message in a store that has none: servers before 2.11 do not check that a claim follows nothing. */
  async seed(): Promise<void> {
    const { client } = await this.#line.streams();
    await client.publish(subjects.noName, '{}');
  }

  async #take(query: { readonly seq: number } | { readonly last_by_subj: string }): Promise<void> {
    const { manager } = await this.#line.streams();
    try {
      const stored = await manager.streams.getMessage(namesStream, query);
      const record = stored && recordFrom(stored);
      if (!record) return;
      const name = subjects.machineOf(stored.subject);
      if ((this.#known.get(name)?.revision ?? 0) < record.revision) this.#known.set(name, record);
    } catch (error) {
      // It was released meanwhile.
      if (!isNotFound(error)) throw error;
    }
  }
}
