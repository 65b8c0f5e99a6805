import type { ByteView } from './byte-view.ts';

/** Of the digits of a number: no number of 64 bits has more. */
const largestScale = 2 ** 133;

/** Reads on from a position, up to an end that may not be passed. */
export class DwarfCursor {
  readonly view: ByteView;
  at: number;
  readonly end: number;
  /** Offsets have 8 bytes instead of 4. */
  readonly wideOffsets: boolean;

  constructor(view: ByteView, at: number, end: number, wideOffsets = false) {
    this.view = view;
    this.at = at;
    this.end = Math.min(end, view.length);
    this.wideOffsets = wideOffsets;
  }

  get done(): boolean {
    return this.at >= this.end;
  }

  u8(): number {
    return this.view.u8(this.#take(1));
  }

  s8(): number {
    return (this.u8() << 24) >> 24;
  }

  u16(): number {
    return this.view.u16(this.#take(2));
  }

  u32(): number {
    return this.view.u32(this.#take(4));
  }

  offset(): number {
    return this.wideOffsets ? this.view.offset64(this.#take(8)) : this.u32();
  }

  /** An offset of 8 bytes; all ones, which mark something, come as 32 of them. */
  offsetOrMark(): number {
    const at = this.#take(8);
    return this.view.u64(at) === 0xffffffffffffffffn ? 0xffffffff : this.view.offset64(at);
  }

  address(bytes: number): bigint {
    if (bytes === 8) return this.view.u64(this.#take(8));
    return BigInt(bytes === 4 ? this.u32() : bytes === 2 ? this.u16() : 0);
  }

  text(): string {
    const zero = this.view.bytes.subarray(this.at, this.end).indexOf(0);
    if (zero < 0) throw new RangeError('a name has no end');
    return this.view.text(this.#take(zero + 1));
  }

  /** Variable length, lowest seven bits first; more than 53 bits are no longer exact. */
  unsigned(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      if (scale > largestScale) throw new RangeError('a number is too long');
      scale *= 128;
    }
  }

  signed(): number {
    const from = this.at;
    const value = this.unsigned();
    const last = this.view.u8(this.at - 1);
    return last & 0x40 ? value - 128 ** (this.at - from) : value;
  }

  skip(bytes: number): void {
    this.#take(bytes);
  }

  #take(bytes: number): number {
    const { at } = this;
    // Not the other way round: what is no number must not pass.
    if (!(bytes >= 0 && at + bytes <= this.end)) throw new RangeError('the line table is cut off');
    this.at = at + bytes;
    return at;
  }
}
