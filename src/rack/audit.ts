import type { Actor } from '../api/roles.ts';
import type { Deed } from '../api/tool-host.ts';
import { visibleText } from '../api/visible.ts';

/** Of what others have written. */
const longestText = 300;
const longestName = 100;
/** Who is not let in is noted this often, with how many times it was. */
const quietMs = 60_000;
const mostStrangers = 1000;

/** Who did what, one line of JSON each; nothing where no file was asked for. */
export class Audit {
  readonly #sink: ((line: string) => void) | undefined;
  readonly #strangers = new Map<string, { count: number; notedAt: number }>();
  #forgotAt = Number.NEGATIVE_INFINITY;

  constructor(sink?: (line: string) => void) {
    this.#sink = sink;
  }

  note({ client, role, agent, address }: Partial<Actor>, deed: Deed): void {
    if (!this.#sink) return;
    const names = { client: name(client), role, agent: name(agent), address: name(address) };
    const { tool, machine, resource, why, ...outcome } = deed;
    const what = { tool: name(tool), machine: name(machine), ...outcome, resource: text(resource) };
    const isStranger = role === undefined && deed.outcome === 'denied';
    const times = isStranger ? this.#timesToNote(JSON.stringify([names, what])) : 1;
    if (times === 0) return;
    const reason = times === 1 ? why : `${times} times ${why}`;
    this.#sink(JSON.stringify({ time: new Date().toISOString(), ...names, ...what, why: text(reason) }));
  }

  /** Somebody who may do nothing may not fill the disk either. */
  #timesToNote(who: string): number {
    const now = performance.now();
    if (this.#strangers.size >= mostStrangers && now - this.#forgotAt >= quietMs) {
      this.#forgotAt = now;
      for (const [each, { notedAt }] of this.#strangers) if (now - notedAt >= quietMs) this.#strangers.delete(each);
    }
    // Beyond these, all others together are one.
    const known = this.#strangers.has(who) || this.#strangers.size < mostStrangers ? who : '';
    const tries = this.#strangers.get(known) ?? { count: 0, notedAt: Number.NEGATIVE_INFINITY };
    this.#strangers.set(known, tries);
    tries.count++;
    if (now - tries.notedAt < quietMs) return 0;
    const { count } = tries;
    tries.count = 0;
    tries.notedAt = now;
    return count;
  }
}

const name = (given: string | undefined) => inOneLine(given, longestName);
const text = (given: string | undefined) => inOneLine(given, longestText);

/** Whatever somebody wrote, whoever reads the log, also once the JSON is taken apart: one line of what can be seen. */
function inOneLine(given: string | undefined, longest: number): string | undefined {
  if (given === undefined) return undefined;
  const seen = visibleText(given.slice(0, longest)).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return given.length > longest || seen.length > longest ? `${seen.slice(0, longest - 1)}…` : seen;
}
