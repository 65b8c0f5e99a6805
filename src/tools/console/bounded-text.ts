import { countLineEnds, splitsPair } from './elide.ts';

const maxHead = 65_536;
const maxTail = 196_608;

/** Text that may grow for ever: its beginning and its end are kept, what lies between is counted. */
export class BoundedText {
  #head = '';
  #headFull = false;
  #tail = '';
  #droppedChars = 0;
  #droppedLines = 0;

  get droppedChars(): number {
    return this.#droppedChars;
  }

  add(text: string): void {
    let rest = text;
    if (!this.#headFull) {
      let cut = Math.min(rest.length, maxHead - this.#head.length);
      this.#headFull = cut < rest.length;
      if (splitsPair(rest, cut)) cut--;
      this.#head += rest.slice(0, cut);
      rest = rest.slice(cut);
    }
    this.#tail += rest;
    // Twice the size before it is cut, so that each character is moved about once.
    if (this.#tail.length > 2 * maxTail) this.#cutTail();
  }

  toString(): string {
    if (this.#tail.length > maxTail) this.#cutTail();
    if (this.#droppedChars === 0) return this.#head + this.#tail;
    const [chars, lines] = [this.#droppedChars, this.#droppedLines].map((number) => number.toLocaleString('en-US'));
    return `${this.#head}\n[… ${chars} characters, ${lines} lines not kept …]\n${this.#tail}`;
  }

  #cutTail(): void {
    let cut = this.#tail.length - maxTail;
    if (splitsPair(this.#tail, cut)) cut++;
    this.#droppedChars += cut;
    this.#droppedLines += countLineEnds(this.#tail.slice(0, cut));
    this.#tail = this.#tail.slice(cut);
  }
}
