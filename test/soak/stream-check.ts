import { blockBytes, type Content } from './stream.ts';

const marker = /^\r\n\[frontpanel: gap of (\d+) bytes\]\r\n/;
const markerStart = Buffer.from('\r\n[frontpanel: gap of ');
const longestMarker = 64;

/** Compares a stream with what it must be, byte for byte, and adds up the gaps that it reports. */
export class StreamCheck {
  readonly #content: Content;
  #block = -1;
  #expected: Buffer = Buffer.alloc(0);
  #held: Buffer = Buffer.alloc(0);
  offset: number;
  verifiedBytes = 0;
  gapBytes = 0;
  gaps = 0;
  error: string | undefined;

  constructor(content: Content, offset = 0) {
    this.#content = content;
    this.offset = offset;
  }

  take(chunk: Buffer): void {
    let bytes = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    this.#held = Buffer.alloc(0);
    while (bytes.length > 0 && this.error === undefined) {
      const expected = this.#expectedHere();
      const count = Math.min(expected.length, bytes.length);
      if (bytes.compare(expected, 0, count, 0, count) === 0) {
        this.#pass(count);
        bytes = bytes.subarray(count);
      } else {
        bytes = this.#takeMarker(bytes, expected);
      }
    }
  }

  #expectedHere(): Buffer {
    const block = Math.floor(this.offset / blockBytes);
    if (block !== this.#block) {
      this.#expected = this.#content(block);
      this.#block = block;
    }
    return this.#expected.subarray(this.offset % blockBytes);
  }

  #pass(count: number): void {
    this.offset += count;
    this.verifiedBytes += count;
  }

  /** The first byte that differs is in a gap marker, or wrong. A marker may begin before it, with the bytes expected. */
  #takeMarker(bytes: Buffer, expected: Buffer): Buffer {
    let wrong = 0;
    while (bytes[wrong] === expected[wrong]) wrong++;
    for (let at = Math.max(0, wrong - markerStart.length); at <= wrong; at++) {
      const rest = bytes.subarray(at);
      if (!startsAlike(rest, markerStart)) continue;
      const found = marker.exec(rest.toString('latin1', 0, longestMarker));
      if (!found && rest.length < longestMarker) {
        this.#pass(at);
        this.#held = Buffer.from(rest);
        return Buffer.alloc(0);
      }
      if (!found) continue;
      this.#pass(at);
      this.gaps++;
      this.gapBytes += Number(found[1]);
      this.offset += Number(found[1]);
      return rest.subarray(found[0].length);
    }
    this.error = `wrong byte at offset ${this.offset + wrong}: ${bytes.subarray(wrong, wrong + 40).toString('latin1')}`;
    return Buffer.alloc(0);
  }
}

function startsAlike(bytes: Buffer, start: Buffer): boolean {
  const count = Math.min(bytes.length, start.length);
  return bytes.compare(start, 0, count, 0, count) === 0;
}
