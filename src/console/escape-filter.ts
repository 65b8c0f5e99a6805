import { EscapeTokenizer, terminalRules } from '../formats/terminal/escape-tokenizer.ts';
import { Utf8Progress } from '../formats/terminal/utf8-progress.ts';
import { isHarmlessCsi, isHarmlessEscape } from './escape-rules.ts';

/** Longer sequences are nothing a terminal understands; they are dropped. */
const maxSequenceBytes = 256;

const enq = 0x05;
const esc = 0x1b;
const del = 0x7f;
/** DECID, which asks for an answer, and ST, which ends a string that is not there. */
const c1Dropped = new Set([0x9a, 0x9c]);

/**
 * Takes out of a guest's output what would act on the terminal of the person who watches, or make it answer: the
 * answer would be typed into the guest. Text, colours, cursor movement, erasing and modes pass unchanged. Sequences
 * may be cut anywhere between chunks; strings are dropped as they come and never kept.
 */
export class EscapeFilter {
  readonly #sequence = new EscapeTokenizer(terminalRules);
  readonly #utf8 = new Utf8Progress();
  /** C2 has come, and what follows decides whether it is a control character. */
  #afterC2 = false;
  #held: number[] = [];
  #tooLong = false;
  #out = Buffer.alloc(0);
  #outLength = 0;

  /** Between sequences and between characters, where filtering may begin or end. */
  get atGround(): boolean {
    return !this.#sequence.active && !this.#afterC2 && this.#utf8.left === 0;
  }

  /** What may pass, in memory of its own. */
  filter(bytes: Uint8Array): Buffer {
    this.#begin(bytes.length);
    for (let i = 0; i < bytes.length; i++) {
      i = this.#passPlainRun(bytes, i);
      if (i < bytes.length) this.#take(bytes[i] ?? 0);
    }
    return this.#out.subarray(0, this.#outLength);
  }

  /** The same, but stops after the byte that ends an open sequence or character. */
  filterToGround(bytes: Uint8Array): { readonly passed: Buffer; readonly taken: number } {
    this.#begin(bytes.length);
    let taken = 0;
    while (taken < bytes.length && !this.atGround) this.#take(bytes[taken++] ?? 0);
    return { passed: this.#out.subarray(0, this.#outLength), taken };
  }

  #begin(length: number): void {
    this.#out = Buffer.allocUnsafe(length + maxSequenceBytes + 2);
    this.#outLength = 0;
  }

  #pass(byte: number): void {
    this.#out[this.#outLength++] = byte;
  }

  /** Most output is plain ASCII, and is copied in runs. */
  #passPlainRun(bytes: Uint8Array, from: number): number {
    if (!this.atGround) return from;
    let to = from;
    for (let byte = bytes[to]; byte !== undefined && byte < 0x80 && byte !== esc && byte !== enq; ) byte = bytes[++to];
    if (to > from) {
      this.#out.set(bytes.subarray(from, to), this.#outLength);
      this.#outLength += to - from;
    }
    return to;
  }

  #take(byte: number): void {
    if (this.#sequence.active) this.#inSequence(byte);
    else if (this.#afterC2) this.#second(byte);
    else this.#ground(byte);
  }

  #ground(byte: number): void {
    if (byte < 0x80) {
      this.#utf8.reset();
      if (byte === esc) this.#open(byte, [byte]);
      else if (byte !== enq) this.#pass(byte);
    } else if (this.#utf8.continues(byte)) {
      this.#pass(byte);
    } else if (byte < 0xa0) {
      this.#c1(byte, [byte]);
    } else if (byte === 0xc2) {
      this.#afterC2 = true;
    } else {
      this.#utf8.start(byte);
      this.#pass(byte);
    }
  }

  /** U+0080 to U+009F, which begin with C2, are control characters too. */
  #second(byte: number): void {
    this.#afterC2 = false;
    if (byte >= 0x80 && byte < 0xa0) {
      this.#c1(byte, [0xc2, byte]);
    } else {
      this.#pass(0xc2);
      if (byte >= 0xa0 && byte < 0xc0) this.#pass(byte);
      else this.#ground(byte);
    }
  }

  #c1(byte: number, encoded: readonly number[]): void {
    if (this.#open(byte, encoded) || c1Dropped.has(byte)) return;
    for (const part of encoded) this.#pass(part);
  }

  #inSequence(byte: number): void {
    const verdict = this.#sequence.feed(byte);
    if (byte === esc) this.#restart([esc]);
    else if (verdict === 'control') {
      if (byte !== enq) this.#pass(byte);
    } else if (verdict === 'after') this.#ground(byte);
    else if (verdict === 'inside') this.#hold(byte);
    else if (verdict === 'last') {
      this.#hold(byte);
      if (this.#isHarmless()) for (const held of this.#held) this.#pass(held);
    }
  }

  #isHarmless(): boolean {
    const { kind } = this.#sequence;
    if (kind === 'string' || this.#tooLong) return false;
    return kind === 'csi' ? isHarmlessCsi(this.#held) : isHarmlessEscape(this.#held);
  }

  /** False when the byte begins no sequence. */
  #open(byte: number, encoded: readonly number[]): boolean {
    if (!this.#sequence.start(byte)) return false;
    this.#utf8.reset();
    this.#restart(encoded);
    return true;
  }

  #restart(held: readonly number[]): void {
    this.#held = [...held];
    this.#tooLong = false;
  }

  /** Not of strings, which never pass, and not what a terminal ignores. */
  #hold(byte: number): void {
    if (this.#sequence.kind === 'string' || byte === del) return;
    if (this.#held.length < maxSequenceBytes) this.#held.push(byte);
    else this.#tooLong = true;
  }
}
