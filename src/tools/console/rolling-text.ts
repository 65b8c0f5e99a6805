/** How far back a match may begin. */
export const windowUnits = 65_536;
const maxRecent = 16_384;

/**
 * The last 64 Ki characters or more of an endless text, addressed by their position in the whole. What came last is
 * kept apart, so that looking at it does not copy all the rest.
 */
export class RollingText {
  #old = '';
  #recent = '';
  #end = 0;

  get start(): number {
    return this.#end - this.#recent.length - this.#old.length;
  }

  get end(): number {
    return this.#end;
  }

  push(text: string): void {
    if (this.#recent.length + text.length > maxRecent) {
      this.#old = (this.#old + this.#recent).slice(-windowUnits);
      this.#recent = '';
    }
    this.#recent += text;
    this.#end += text.length;
  }

  /** Everything from the absolute position `from` on, or from the start of what is kept. */
  from(from: number): string {
    const recentStart = this.#end - this.#recent.length;
    if (from >= recentStart) return this.#recent.slice(from - recentStart);
    return (this.#old + this.#recent).slice(Math.max(0, from - this.start));
  }

  /** Where the line begins that `position` is on, looking back at most to `limit`. */
  lineStart(position: number, limit: number): number {
    const recentStart = this.#end - this.#recent.length;
    const inRecent = position > recentStart ? this.#recent.lastIndexOf('\n', position - recentStart - 1) : -1;
    if (inRecent >= 0) return Math.max(limit, recentStart + inRecent + 1);
    if (limit >= recentStart) return limit;
    const inOld = this.#old.lastIndexOf('\n', Math.min(position, recentStart) - this.start - 1);
    return Math.max(limit, this.start, inOld < 0 ? 0 : this.start + inOld + 1);
  }
}
