const lineFeed = 10;
const keptLines = 1000;

interface LineSource {
  readonly start: number;
  readonly end: number;
  readonly blockBytes: number;
  slice(from: number, maxBytes: number): Buffer;
}

/**
 * Where the last 1,000 lines begin. A line feed ends a line, a lone carriage return does not. Nothing is done while
 * bytes arrive: a question searches what is new backwards, each byte at most once, and stops after 1,000 lines.
 */
export class LineIndex {
  readonly #source: LineSource;
  /** Ascending; the last one may be the end itself, when no byte of the next line is there yet. */
  #starts: number[] = [0];
  #searchedTo = 0;

  constructor(source: LineSource) {
    this.#source = source;
  }

  /** Lines that are kept in part or whole. */
  get count(): number {
    const { start, end } = this.#source;
    this.#catchUp();
    const whole = this.#starts.filter((offset) => offset >= start && offset < end);
    const headIsCut = end > start && whole[0] !== start;
    return Math.min(keptLines, whole.length + (headIsCut ? 1 : 0));
  }

  /** Offset at which the last `count` lines begin, as far as they are kept. */
  lastLines(count: number): number {
    const { start, end } = this.#source;
    if (count <= 0) return end;
    this.#catchUp();
    const begun = this.#starts.at(-1) === end ? this.#starts.length - 1 : this.#starts.length;
    if (begun === 0) return start;
    return Math.max(start, this.#starts[Math.max(0, begun - Math.floor(count))] ?? start);
  }

  #catchUp(): void {
    const { start, end, blockBytes } = this.#source;
    const from = Math.max(start, this.#searchedTo);
    // One more than kept, because the last start found may belong to a line without a byte.
    const found: number[] = [];
    for (let to = end; to > from && found.length <= keptLines; ) {
      const blockFrom = Math.max(from, Math.floor((to - 1) / blockBytes) * blockBytes);
      const piece = this.#source.slice(blockFrom, to - blockFrom);
      let at = piece.lastIndexOf(lineFeed);
      while (at >= 0 && found.length <= keptLines) {
        found.push(blockFrom + at + 1);
        at = at === 0 ? -1 : piece.lastIndexOf(lineFeed, at - 1);
      }
      to = blockFrom;
    }
    this.#searchedTo = end;
    if (found.length > 0) this.#starts = [...this.#starts, ...found.reverse()].slice(-keptLines - 1);
  }
}
