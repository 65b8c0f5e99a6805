/** One tool call, exactly as the agent made it, but for passwords, and saw it answered. */
export interface JournalEntry {
  readonly seq: number;
  /** Milliseconds since 1970, when the call came in. */
  readonly at: number;
  readonly client: string;
  readonly tool: string;
  readonly machine?: string;
  readonly arguments: unknown;
  readonly answer: string;
  readonly isError: boolean;
  readonly durationMs: number;
}

/** The calls made so far: the last ones in memory, all of them in the file if one was asked for. */
export class Journal {
  readonly #maxBytes: number;
  readonly #sink: ((line: string) => void) | undefined;
  readonly #entries: { readonly entry: JournalEntry; readonly bytes: number }[] = [];
  #bytes = 0;
  #seq = 0;

  constructor(maxBytes: number, sink?: (line: string) => void) {
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  get entries(): readonly JournalEntry[] {
    return this.#entries.map(({ entry }) => entry);
  }

  add(call: Omit<JournalEntry, 'seq'>): void {
    const entry: JournalEntry = { seq: ++this.#seq, ...call };
    const line = JSON.stringify(entry);
    this.#sink?.(line);
    this.#entries.push({ entry, bytes: line.length });
    this.#bytes += line.length;
    while (this.#bytes > this.#maxBytes) this.#bytes -= this.#entries.shift()?.bytes ?? 0;
  }
}
