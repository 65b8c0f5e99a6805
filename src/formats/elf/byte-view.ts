/** Reads numbers out of a file that may be cut off or lie about itself: what is not there throws a RangeError. */
export class ByteView {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  readonly #little: boolean;

  constructor(bytes: Uint8Array, little: boolean) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#little = little;
  }

  get length(): number {
    return this.bytes.length;
  }

  u8(at: number): number {
    return this.#view.getUint8(at);
  }

  u16(at: number): number {
    return this.#view.getUint16(at, this.#little);
  }

  u32(at: number): number {
    return this.#view.getUint32(at, this.#little);
  }

  u64(at: number): bigint {
    return this.#view.getBigUint64(at, this.#little);
  }

  /** A 64-bit size or offset, which must be one that can lie in a file. */
  offset64(at: number): number {
    const value = this.u64(at);
    if (value > 0xffffffffffffn) throw new RangeError('an offset lies far outside the file');
    return Number(value);
  }

  /** Printable, and no longer than `most`; empty when it begins outside. */
  text(at: number, most = 512): string {
    if (at < 0 || at >= this.length) return '';
    const end = this.bytes.subarray(at, at + most).indexOf(0);
    const bytes = this.bytes.subarray(at, end < 0 ? Math.min(this.length, at + most) : at + end);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      .toString('latin1')
      .replaceAll(/[^\x20-\x7e]/g, '?');
  }

  part(from: number, length: number): ByteView {
    if (from < 0 || length < 0 || from + length > this.length) throw new RangeError('a part lies outside the file');
    return new ByteView(this.bytes.subarray(from, from + length), this.#little);
  }

  /** The same order of bytes over other bytes. */
  over(bytes: Uint8Array): ByteView {
    return new ByteView(bytes, this.#little);
  }
}
