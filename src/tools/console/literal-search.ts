import type { Found, PatternSearch } from './pattern-search.ts';
import type { RollingText } from './rolling-text.ts';

export class LiteralSearch implements PatternSearch {
  readonly openEnded = false;
  readonly sliceUnits = 32_768;
  readonly #literal: string;
  readonly #anyCase: RegExp | undefined;

  constructor(literal: string, ignoreCase: boolean) {
    this.#literal = literal;
    if (ignoreCase) this.#anyCase = new RegExp(literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i');
  }

  find(text: RollingText, scanned: number): Found | undefined {
    const from = Math.max(text.start, scanned - this.#literal.length + 1);
    const region = text.from(from);
    const at = this.#anyCase ? region.search(this.#anyCase) : region.indexOf(this.#literal);
    if (at < 0) return undefined;
    const start = from + at;
    const end = start + this.#literal.length;
    return { start, end, text: region.slice(at, at + this.#literal.length), groups: [], namedGroups: {} };
  }
}
