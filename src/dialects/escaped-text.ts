import { Utf8Decoder } from '../tools/console/utf8-decoder.ts';

/** Bytes as text that any JSON reader can take: UTF-8 kept, everything unprintable as `\xNN`, cut into chunks anywhere. */
export class EscapedText {
  readonly #utf8 = new Utf8Decoder();

  push(bytes: Uint8Array): string {
    let text = '';
    for (const byte of bytes) {
      if (this.#utf8.active) {
        const character = this.#utf8.feed(byte);
        if (character !== 'broken') {
          if (character !== undefined) text += String.fromCodePoint(character);
          continue;
        }
        text += this.end();
      }
      if (!this.#utf8.start(byte)) text += isPlain(byte) ? String.fromCharCode(byte) : escaped(byte);
    }
    return text;
  }

  /** The bytes of a character that was cut off. */
  end(): string {
    return this.#utf8.discard().map(escaped).join('');
  }
}

function isPlain(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

function escaped(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}
