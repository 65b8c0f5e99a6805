import type { Actor } from './roles.ts';

/** Something that was done or tried. */
export interface Deed {
  /** The tool, or `page …` for what a person did on the live page, `http` for a way in that was refused. */
  readonly tool: string;
  readonly machine?: string | undefined;
  /** `asked`: it was put to a person first. */
  readonly outcome: 'done' | 'asked' | 'denied' | 'failed';
  /** Why it was denied or failed, in one line. */
  readonly why?: string | undefined;
  readonly durationMs?: number | undefined;
}

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
