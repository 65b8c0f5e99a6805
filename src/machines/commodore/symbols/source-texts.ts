/** What all sources of a machine may hold together. */
const mostCharacters = 16 * 1024 * 1024;
const mostShown = 80;

/** The text of source files by the names that debug files give them. */
export type TextsByFile = ReadonlyMap<string, string>;

/** Lines of sources to show beside the code that was made of them. */
export class SourceTexts {
  readonly #texts = new Map<string, ReadonlyMap<string, readonly string[]>>();
  readonly #sizes = new Map<string, number>();

  /** Replaces what was known from this source; files beyond the limit are left out. */
  load(source: string, texts: TextsByFile): void {
    this.unload(source);
    let room = mostCharacters - [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
    const kept = new Map<string, readonly string[]>();
    let size = 0;
    for (const [file, text] of texts) {
      if (text.length > room) continue;
      room -= text.length;
      size += text.length;
      kept.set(file, text.split(/\r\n|\n|\r/));
    }
    if (kept.size === 0) return;
    this.#texts.set(source, kept);
    this.#sizes.set(source, size);
  }

  unload(source: string): void {
    this.#texts.delete(source);
    this.#sizes.delete(source);
  }

  copyFrom(other: SourceTexts): void {
    this.#texts.clear();
    this.#sizes.clear();
    for (const [source, texts] of other.#texts) this.#texts.set(source, texts);
    for (const [source, size] of other.#sizes) this.#sizes.set(source, size);
  }

  /** On one line, and not longer than one can be. */
  line(source: string, file: string, number: number): string | undefined {
    const text = this.#texts
      .get(source)
      ?.get(file)
      ?.[number - 1]?.replace(/[\s\p{Cc}]+/gu, ' ')
      .trim();
    if (text === undefined || text === '') return undefined;
    return text.length > mostShown ? `${text.slice(0, mostShown - 1)}…` : text;
  }
}
