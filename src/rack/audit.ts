import type { Actor } from '../api/roles.ts';
import type { Deed } from '../api/tool-host.ts';

/** Of what others have written. */
const longestText = 300;

/** Who did what, one line of JSON each; nothing where no file was asked for. */
export class Audit {
  readonly #sink: ((line: string) => void) | undefined;

  constructor(sink?: (line: string) => void) {
    this.#sink = sink;
  }

  note({ client, role, agent, address }: Partial<Actor>, { why, resource, ...deed }: Deed): void {
    if (!this.#sink) return;
    const texts = { resource: resource?.slice(0, longestText), why: why?.slice(0, longestText) };
    this.#sink(JSON.stringify({ time: new Date().toISOString(), client, role, agent, address, ...deed, ...texts }));
  }
}
