import type { ConsolePort } from '../machine/console.ts';
import { nextTurn } from '../machines/shared/time-slice.ts';
import { EscapedText } from '../tools/inner/escaped-text.ts';

/** What is decoded in one go. */
const pieceBytes = 256 * 1024;

/** All that a console keeps, as text, made while others have their turns. */
export async function allText({ output }: ConsolePort): Promise<string> {
  const decoder = new EscapedText();
  const pieces: string[] = [];
  for (let at = output.start, end = output.end; at < end; ) {
    const { bytes, from } = output.read(at, Math.min(pieceBytes, end - at));
    pieces.push(decoder.push(bytes));
    at = from + bytes.length;
    await nextTurn();
  }
  return pieces.join('') + decoder.end();
}

/**
 * What the console of a machine prints from now on, in pieces that fit into a message; a character cut at the end waits
 * for its rest. A machine that comes later, under the same name, is followed from its first byte on.
 */
export class FollowedOutput {
  readonly #find: () => ConsolePort | undefined;
  #port: ConsolePort | undefined;
  #decoder = new EscapedText();
  #at: number;

  constructor(find: () => ConsolePort | undefined) {
    this.#find = find;
    this.#port = find();
    this.#at = this.#port?.output.end ?? 0;
  }

  next(): { readonly text: string; readonly more: boolean } {
    const port = this.#find();
    if (!port) return { text: '', more: false };
    if (port !== this.#port) {
      this.#port = port;
      this.#at = 0;
      this.#decoder = new EscapedText();
    }
    const { bytes, from, lost } = port.output.read(this.#at, pieceBytes);
    this.#at = from + bytes.length;
    const gap = lost > 0 ? `${this.#decoder.end()}\n[gap of ${lost} bytes]\n` : '';
    return { text: gap + this.#decoder.push(bytes), more: this.#at < port.output.end };
  }
}
