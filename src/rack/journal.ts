import type { RecordedCall } from '../api/tool-host.ts';

/** The calls made so far: the last ones in memory, all of them in the file if one was asked for. */
export class Journal {
  readonly #maxBytes: number;
  readonly #sink: ((line: string) => void) | undefined;
  readonly #entries: { readonly entry: RecordedCall; readonly bytes: number }[] = [];
  #bytes = 0;
  #seq = 0;

  constructor(maxBytes: number, sink?: (line: string) => void) {
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  /** Whether there is a file. */
  get isWritten(): boolean {
    return this.#sink !== undefined;
  }

  get entries(): readonly RecordedCall[] {
    return this.#entries.map(({ entry }) => entry);
  }

  find(wanted: number): RecordedCall | undefined {
    return this.#entries.find(({ entry }) => entry.seq === wanted)?.entry;
  }

  add(call: Omit<RecordedCall, 'seq'>): void {
    const entry: RecordedCall = { seq: ++this.#seq, ...call };
    const line = JSON.stringify(entry);
    this.#sink?.(line);
    this.#entries.push({ entry, bytes: line.length });
    this.#bytes += line.length;
    while (this.#bytes > this.#maxBytes) this.#bytes -= this.#entries.shift()?.bytes ?? 0;
  }
}
