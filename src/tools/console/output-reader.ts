import type { ConsolePort } from '../../machine/console.ts';
import { BoundedText } from './bounded-text.ts';
import type { ExpectMatch, Matcher } from './expect.ts';
import { StripStream } from './strip-stream.ts';

const readBytes = 32_768;

/** Reads a port's ring piece by piece, strips it, keeps the text and looks for a match. */
export class OutputReader {
  readonly #port: ConsolePort;
  readonly #matcher: Matcher;
  readonly #kept = new BoundedText();
  readonly #landmark: string | undefined;
  #stream: StripStream;
  /** Position in the matcher's text at which the stream's text begins. */
  #streamStart = 0;
  #firstOffset: number;
  #offset: number;
  #nextOffset: number;
  #bytes = 0;
  #lostBytes = 0;
  #match: ExpectMatch | undefined;

  constructor(port: ConsolePort, from: number, matcher: Matcher, landmark?: string) {
    this.#port = port;
    this.#matcher = matcher;
    this.#landmark = landmark;
    this.#stream = new StripStream(from, landmark);
    this.#firstOffset = from;
    this.#offset = from;
    this.#nextOffset = from;
  }

  /** Ring offset of the next byte to read. */
  get offset(): number {
    return this.#offset;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get lostBytes(): number {
    return this.#lostBytes;
  }

  get match(): ExpectMatch | undefined {
    return this.#match;
  }

  get text(): string {
    return this.#kept.toString();
  }

  get droppedChars(): number {
    return this.#kept.droppedChars;
  }

  /** Where the next reader goes on; known after a match or `finish`. */
  get nextOffset(): number {
    return this.#nextOffset;
  }

  async read(signal?: AbortSignal): Promise<'match' | 'read' | 'nothing'> {
    const { bytes, from, lost } = this.#port.output.read(this.#offset, readBytes);
    if (lost > 0) this.#skip(from, lost);
    if (bytes.length === 0) return lost > 0 ? 'read' : 'nothing';
    this.#offset = from + bytes.length;
    this.#bytes += bytes.length;
    const more = this.#offset < this.#port.output.end;
    return (await this.#search(this.#stream.push(bytes), more, signal)) ? 'match' : 'read';
  }

  /** Ends reading; `complete` when no more will ever come. What is still owed may bring a match. */
  async finish(complete: boolean): Promise<ExpectMatch | undefined> {
    if (this.#match) return undefined;
    let rest = this.#stream.end(complete);
    let text = rest.text;
    if (rest.offset <= this.#firstOffset && this.#offset > this.#firstOffset) {
      // Nothing but half a character or sequence: shown as it is, or the same reader would stand here for ever.
      rest = this.#stream.end(true);
      text += rest.text;
    }
    this.#nextOffset = rest.offset;
    return this.#search(text, false);
  }

  async #search(text: string, more: boolean, signal?: AbortSignal): Promise<ExpectMatch | undefined> {
    const before = this.#matcher.units;
    this.#match = await this.#matcher.push(text, more, signal);
    if (this.#match) {
      this.#kept.add(text.slice(0, Math.max(0, this.#match.end - before)));
      this.#nextOffset = this.#stream.offsetAt(this.#match.end - this.#streamStart);
    } else {
      this.#kept.add(text);
      // A match that waits for the next piece ends here.
      this.#stream.forget(this.#stream.units - 1);
    }
    return this.#match;
  }

  /** Bytes were overwritten before they could be read: nothing may match across the gap. */
  #skip(to: number, lost: number): void {
    this.#lostBytes += lost;
    if (this.#offset > this.#firstOffset) {
      this.#kept.add(`${this.#stream.end(true).text}\n[${lost.toLocaleString('en-US')} bytes lost here]\n`);
    } else this.#firstOffset = to;
    this.#matcher.separate();
    this.#streamStart = this.#matcher.units;
    this.#stream = new StripStream(to, this.#landmark);
    this.#offset = to;
    this.#nextOffset = to;
  }
}
