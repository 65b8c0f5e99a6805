/** What all sources of a machine may hold together. */
const mostCharacters = 16 * 1024 * 1024;
const mostShown = 80;

/** The text of source files by the names that debug files give them. */
export type TextsByFile = ReadonlyMap<string, string>;

/** JSON: by source, then by file. */
export type SavedTexts = readonly (readonly [
  source: string,
  texts: readonly (readonly [file: string, text: string])[],
])[];

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

  /** For a snapshot. */
  save(): SavedTexts {
    return [...this.#texts].map(([source, texts]) => [
      source,
      [...texts].map(([file, lines]) => [file, lines.join('\n')] as const),
    ]);
  }

  restore(saved: SavedTexts): void {
    this.#texts.clear();
    this.#sizes.clear();
    for (const [source, texts] of saved) this.load(source, new Map(texts));
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
