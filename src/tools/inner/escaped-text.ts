import { hex, hexEscape } from '../../formats/hex.ts';
import { isInvisible } from '../console/character.ts';
import { Utf8Decoder } from '../console/utf8-decoder.ts';

/**
 * Bytes as text that any JSON reader can take, cut into chunks anywhere: UTF-8 kept, everything unprintable as `\xNN`,
 * characters that cannot be seen as `\u{…}`.
 */
export class EscapedText {
  readonly #utf8 = new Utf8Decoder();
  readonly #latin1 = new TextDecoder('latin1');

  push(bytes: Uint8Array): string {
    const characters = this.#latin1.decode(bytes);
    let text = '';
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (this.#utf8.active) {
        const codePoint = this.#utf8.feed(byte);
        if (codePoint !== 'broken') {
          if (codePoint !== undefined) text += shown(codePoint);
          continue;
        }
        text += this.end();
      }
      if (isPlain(byte)) {
        const begin = at;
        while (at + 1 < bytes.length && isPlain(bytes[at + 1] ?? 0)) at++;
        text += characters.slice(begin, at + 1);
      } else if (!this.#utf8.start(byte)) text += hexEscape(byte);
    }
    return text;
  }

  /** The bytes of a character that was cut off. */
  end(): string {
    return this.#utf8.discard().map(hexEscape).join('');
  }
}

function isPlain(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

function shown(codePoint: number): string {
  return isInvisible(codePoint) ? `\\u{${hex(codePoint)}}` : String.fromCodePoint(codePoint);
}
