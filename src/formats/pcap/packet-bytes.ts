import { lowerHex } from '../hex.ts';
/** A part of a packet, in the order of the network. Reading beyond the end throws a RangeError: it was cut off. */
export class PacketBytes {
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.#view.byteLength;
  }

  byte(at: number): number {
    return this.#view.getUint8(at);
  }

  word(at: number): number {
    return this.#view.getUint16(at);
  }

  long(at: number): number {
    return this.#view.getUint32(at);
  }

  /** From there on, at most so many bytes. */
  from(at: number, length = this.length - at): PacketBytes {
    if (at > this.length) throw new RangeError('cut off');
    const size = Math.max(0, Math.min(length, this.length - at));
    return new PacketBytes(new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, size));
  }

  mac(at: number): string {
    return Array.from({ length: 6 }, (_, index) => lowerHex(this.byte(at + index), 2)).join(':');
  }

  ipv4(at: number): string {
    return Array.from({ length: 4 }, (_, index) => this.byte(at + index)).join('.');
  }

  ipv6(at: number): string {
    const words = Array.from({ length: 8 }, (_, index) => this.word(at + index * 2));
    let run = { at: -1, length: 1 };
    for (let start = 0; start < 8; start++) {
      let length = 0;
      while (start + length < 8 && words[start + length] === 0) length++;
      if (length > run.length) run = { at: start, length };
    }
    const texts = words.map((word) => word.toString(16));
    if (run.at < 0) return texts.join(':');
    return `${texts.slice(0, run.at).join(':')}::${texts.slice(run.at + run.length).join(':')}`;
  }

  /** What a guest wrote is shown as it is only where it is plain. */
  text(at: number, length: number): string {
    let text = '';
    for (let index = 0; index < length; index++) {
      const byte = this.byte(at + index);
      text += byte > 0x20 && byte < 0x7f && byte !== 0x5c ? String.fromCharCode(byte) : `\\x${lowerHex(byte, 2)}`;
    }
    return text;
  }
}
