import { jsonData } from '../api/json-data.ts';
import type { MachineEvent, ReportedEvent } from '../machine/events.ts';

export interface EventFilter {
  readonly machine?: string | undefined;
  readonly types?: readonly string[] | undefined;
}

/** The last events of all machines, numbered without a hole. */
export class EventLog {
  readonly #capacity: number;
  readonly #events: MachineEvent[] = [];
  readonly #listeners = new Set<(event: MachineEvent) => void>();
  #nextSeq = 1;

  constructor(capacity = 10_000) {
    this.#capacity = capacity;
  }

  /** The number the next event will have. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  add(machine: string, { data, ...reported }: ReportedEvent): void {
    const plain = data && { data: jsonData(data) };
    const event: MachineEvent = { seq: this.#nextSeq++, at: Date.now(), machine, ...reported, ...plain };
    this.#keep(event);
  }

  /** An event that has its number already, given where all gateways of a fleet find it. */
  mirror(event: MachineEvent): void {
    // Where numbers are missing or begin anew, what was before them is no part of the row any more.
    if (event.seq !== this.#nextSeq) this.#events.length = 0;
    this.#nextSeq = event.seq + 1;
    this.#keep(event);
  }

  /** Events from number `from` on, or all where numbers began anew since it was told; `lost` counts those that are no longer kept. */
  read(from: number, filter: EventFilter = {}): { readonly events: readonly MachineEvent[]; readonly lost: number } {
    const oldest = this.#events[0]?.seq ?? this.#nextSeq;
    const first = from > this.#nextSeq ? 0 : from;
    const events = this.#events.slice(Math.max(0, first - oldest)).filter((event) => matches(event, filter));
    return { events, lost: Math.max(0, oldest - Math.max(1, first)) };
  }

  onEvent(listener: (event: MachineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #keep(event: MachineEvent): void {
    this.#events.push(event);
    if (this.#events.length > this.#capacity) this.#events.shift();
    for (const listener of this.#listeners) listener(event);
  }
}

function matches(event: MachineEvent, filter: EventFilter): boolean {
  return (
    (filter.machine === undefined || event.machine === filter.machine) &&
    (filter.types === undefined || filter.types.includes(event.type))
  );
}
