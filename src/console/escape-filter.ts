import { isHarmlessCsi, isHarmlessEscape } from './escape-rules.ts';

/** Longer sequences are nothing a terminal understands; they are dropped. */
const maxSequenceBytes = 256;

type State = 'ground' | 'c2' | 'escape' | 'csi' | 'string';

const bel = 0x07;
const enq = 0x05;
const can = 0x18;
const sub = 0x1a;
const esc = 0x1b;
const del = 0x7f;

/** The 7-bit introducers of strings after ESC: DCS, SOS, OSC, PM, APC, and the title of `screen`. */
const stringIntroducers = new Set([...'PX]^_k'].map((letter) => letter.charCodeAt(0)));
/** The same as single bytes: DCS, SOS, OSC, PM, APC. */
const c1Strings = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f]);
const c1Csi = 0x9b;
/** DECID, which asks for an answer, and ST, which ends a string that is not there. */
const c1Dropped = new Set([0x9a, 0x9c]);

/**
 * Takes out of a guest's output what would act on the terminal of the person who watches, or make it answer: the
 * answer would be typed into the guest. Text, colours, cursor movement, erasing and modes pass unchanged. Sequences
 * may be cut anywhere between chunks; strings are dropped as they come and never kept.
 */
export class EscapeFilter {
  #state: State = 'ground';
  #held: number[] = [];
  #tooLong = false;
  /** Continuation bytes that must follow, and what the next one may be. */
  #utf8Left = 0;
  #utf8Low = 0x80;
  #utf8High = 0xbf;
  #out = Buffer.alloc(0);
  #outLength = 0;

  /** Between sequences and between characters, where filtering may begin or end. */
  get atGround(): boolean {
    return this.#state === 'ground' && this.#utf8Left === 0;
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

  /** The same, but stops behind the byte that ends an open sequence or character. */
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
    if (this.#state === 'ground') this.#ground(byte);
    else if (this.#state === 'c2') this.#afterC2(byte);
    else if (this.#state === 'string') this.#string(byte);
    else if (!this.#handledInside(byte)) this.#inSequence(byte);
  }

  #ground(byte: number): void {
    if (byte < 0x80) {
      this.#utf8Left = 0;
      if (byte === esc) this.#open('escape', [esc]);
      else if (byte !== enq) this.#pass(byte);
    } else if (this.#continuesCharacter(byte)) {
      this.#pass(byte);
    } else if (byte < 0xa0) {
      this.#c1(byte, [byte]);
    } else if (byte === 0xc2) {
      this.#state = 'c2';
    } else {
      this.#startsCharacter(byte);
      this.#pass(byte);
    }
  }

  /** U+0080 to U+009F, which begin with C2, are control characters too. */
  #afterC2(byte: number): void {
    this.#state = 'ground';
    if (byte >= 0x80 && byte < 0xa0) {
      this.#c1(byte, [0xc2, byte]);
    } else {
      this.#pass(0xc2);
      if (byte >= 0xa0 && byte < 0xc0) this.#pass(byte);
      else this.#ground(byte);
    }
  }

  #c1(byte: number, encoded: readonly number[]): void {
    if (byte === c1Csi) this.#open('csi', encoded);
    else if (c1Strings.has(byte)) this.#open('string', []);
    else if (!c1Dropped.has(byte)) for (const part of encoded) this.#pass(part);
  }

  #inSequence(byte: number): void {
    const first = this.#state === 'escape' && this.#held.length === 1;
    if (first && byte === 0x5b) {
      this.#open('csi', [esc, byte]);
    } else if (first && stringIntroducers.has(byte)) {
      this.#open('string', []);
    } else {
      this.#hold(byte);
      if (this.#state === 'csi' && byte >= 0x40) this.#close(isHarmlessCsi(this.#held));
      if (this.#state === 'escape' && byte >= 0x30) this.#close(isHarmlessEscape(this.#held));
    }
  }

  /** What a terminal does in the middle of a sequence without leaving it, and what makes it leave. */
  #handledInside(byte: number): boolean {
    if (byte >= 0x80) {
      this.#close(false);
      this.#ground(byte);
    } else if (byte === esc) {
      this.#open('escape', [esc]);
    } else if (byte === can || byte === sub) {
      this.#close(false);
    } else if (byte < 0x20) {
      if (byte !== enq) this.#pass(byte);
    } else if (byte !== del) {
      return false;
    }
    return true;
  }

  #string(byte: number): void {
    if (byte === esc) this.#open('escape', [esc]);
    else if (byte === bel || byte === can || byte === sub) this.#close(false);
    else if (byte < 0x80) this.#utf8Left = 0;
    else if (this.#continuesCharacter(byte)) return;
    // ST as one byte, or as the second half of U+009C.
    else if (byte === 0x9c) this.#close(false);
    else if (byte >= 0xc3) this.#startsCharacter(byte);
  }

  #open(state: State, held: readonly number[]): void {
    this.#state = state;
    this.#held = [...held];
    this.#tooLong = false;
    this.#utf8Left = 0;
  }

  #hold(byte: number): void {
    if (this.#held.length < maxSequenceBytes) this.#held.push(byte);
    else this.#tooLong = true;
  }

  #close(pass: boolean): void {
    if (pass && !this.#tooLong) for (const byte of this.#held) this.#pass(byte);
    this.#open('ground', []);
  }

  #startsCharacter(byte: number): void {
    this.#utf8Left = byte >= 0xf5 || byte < 0xc3 ? 0 : byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    this.#utf8Low = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    this.#utf8High = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
  }

  #continuesCharacter(byte: number): boolean {
    if (this.#utf8Left === 0 || byte < this.#utf8Low || byte > this.#utf8High) {
      this.#utf8Left = 0;
      return false;
    }
    this.#utf8Left--;
    this.#utf8Low = 0x80;
    this.#utf8High = 0xbf;
    return true;
  }
}
