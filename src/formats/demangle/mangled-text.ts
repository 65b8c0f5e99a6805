/** The text is not what it looked like; the name stays as it is. */
export class NotMangled extends Error {}

/** Names come from files that may be hostile: nesting and growth have an end. */
const maxDepth = 200;
/** Names can point back at parts of themselves, and those again. */
const maxParts = 20_000;
const maxChars = 20_000;

/** Reads along a mangled name. What is not there throws `NotMangled`. */
export class MangledText {
  readonly text: string;
  at: number;
  #depth = 0;
  #parts = 0;

  constructor(text: string, at: number) {
    this.text = text;
    this.at = at;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  peek(ahead = 0): string {
    return this.text[this.at + ahead] ?? '';
  }

  next(): string {
    const character = this.text[this.at];
    if (character === undefined) throw new NotMangled('it ends too early');
    this.at++;
    return character;
  }

  sees(word: string): boolean {
    return this.text.startsWith(word, this.at);
  }

  take(word: string): boolean {
    if (!this.sees(word)) return false;
    this.at += word.length;
    return true;
  }

  expect(word: string): void {
    if (!this.take(word)) throw new NotMangled(`no ${word}`);
  }

  /** What a pattern made with the flag `y` finds here, or an empty string. */
  match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ''] = pattern.exec(this.text) ?? [];
    this.at += found.length;
    return found;
  }

  decimal(): number {
    const digits = this.match(/\d{1,9}/y);
    if (digits === '') throw new NotMangled('no number');
    return Number(digits);
  }

  chars(count: number): string {
    if (this.at + count > this.text.length) throw new NotMangled('a name is longer than what is left');
    this.at += count;
    return this.text.slice(this.at - count, this.at);
  }

  /** Everything that can contain itself goes through here. */
  nested<T>(read: () => T): T {
    if (++this.#parts > maxParts) throw new NotMangled('it has too many parts');
    this.#depth++;
    try {
      if (this.#depth > maxDepth) throw new NotMangled('it is nested too deeply');
      return read();
    } finally {
      this.#depth--;
    }
  }

  /** Text that names before were put together to. */
  bounded(text: string): string {
    if (text.length > maxChars) throw new NotMangled('it stands for too much text');
    return text;
  }
}
