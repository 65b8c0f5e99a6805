import type { Actor } from '../api/roles.ts';
import type { Deed } from '../api/tool-host.ts';

const longestWhy = 300;

/** Who did what, one line of JSON each; nothing where no file was asked for. */
export class Audit {
  readonly #sink: ((line: string) => void) | undefined;

  constructor(sink?: (line: string) => void) {
    this.#sink = sink;
  }

  note({ client, role, agent, address }: Partial<Actor>, { why, ...deed }: Deed): void {
    if (!this.#sink) return;
    const line = { time: new Date().toISOString(), client, role, agent, address, ...deed };
    this.#sink(JSON.stringify({ ...line, ...(why !== undefined && { why: why.slice(0, longestWhy) }) }));
  }
}
