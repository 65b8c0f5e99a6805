import { crc32 } from 'node:zlib';

/** Writes P64 images for tests: the other half of the range coder. */
class RangeEncoder {
  readonly bytes: number[] = [];
  #low = 0;
  #high = 0xffff_ffff;

  bit(likely: Uint16Array, context: number, bit: number): number {
    const chance = likely[context] as number;
    const middle = (this.#low + Math.imul((this.#high - this.#low) >>> 12, chance)) >>> 0;
    if (bit !== 0) {
      likely[context] = chance + ((0xfff - chance) >> 4);
      this.#high = middle;
    } else {
      likely[context] = chance - (chance >> 4);
      this.#low = middle + 1;
    }
    while (((this.#low ^ this.#high) & 0xff00_0000) === 0) this.#shift();
    return bit;
  }

  flush(): Uint8Array {
    for (let index = 0; index < 4; index += 1) this.#shift();
    return Uint8Array.from(this.bytes);
  }

  #shift(): void {
    this.bytes.push(this.#high >>> 24);
    this.#low = (this.#low << 8) >>> 0;
    this.#high = ((this.#high << 8) | 0xff) >>> 0;
  }
}

interface Pulse {
  readonly position: number;
  readonly strength: number;
}

function packed(pulses: readonly Pulse[]): Uint8Array {
  const coder = new RangeEncoder();
  const words = Array.from({ length: 8 }, () => new Uint16Array(0x10000).fill(0x800));
  const flags = [new Uint16Array(2).fill(0x800), new Uint16Array(2).fill(0x800)];
  const [lastBytes, lastFlags] = [new Array(8).fill(0), [0, 0]];
  const flag = (which: number, bit: number) => {
    lastFlags[which] = coder.bit(flags[which] as Uint16Array, lastFlags[which] ?? 0, bit);
  };
  const word = (first: number, value: number) => {
    for (let index = 0; index < 4; index += 1) {
      const byte = (value >>> (8 * index)) & 0xff;
      let context = 1;
      for (let bit = 7; bit >= 0; bit -= 1) {
        const at = ((lastBytes[first + index] << 8) | context) & 0xffff;
        context = (context << 1) | coder.bit(words[first + index] as Uint16Array, at, (byte >> bit) & 1);
      }
      lastBytes[first + index] = byte;
    }
  };
  let [last, step, sure] = [0, 0, 0];
  for (const { position, strength } of pulses) {
    const isOther = position - last !== step;
    flag(0, isOther ? 1 : 0);
    step = position - last;
    if (isOther) word(0, step);
    last = position;
    flag(1, strength === sure ? 0 : 1);
    if (strength !== sure) word(4, (strength - sure) >>> 0);
    sure = strength;
  }
  return coder.flush();
}

const longs = (...values: readonly number[]) => {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (const [index, value] of values.entries()) view.setUint32(index * 4, value, true);
  return [...new Uint8Array(view.buffer)];
};
const text = (letters: string) => [...letters].map((letter) => letter.charCodeAt(0));

/** Pulses by half track. */
export function p64Of(tracks: ReadonlyMap<number, readonly Pulse[]>): Uint8Array {
  const chunks = [...tracks].flatMap(([halfTrack, pulses]) => {
    const bits = packed(pulses);
    const body = Uint8Array.from([...longs(pulses.length, bits.length), ...bits]);
    return [...text('HTP'), halfTrack, ...longs(body.length, crc32(body)), ...body];
  });
  const all = Uint8Array.from([...chunks, ...text('DONE'), ...longs(0, 0)]);
  return Uint8Array.from([...text('P64-1541'), ...longs(0, 0, all.length, crc32(all)), ...all]);
}

/** A track's bits as pulses, each cell as long as its zone has it. */
export function pulsesOf(bytes: Uint8Array, zone: number, strength = 0xffff_ffff): readonly Pulse[] {
  const cell = 4 * (16 - zone);
  const bits = [...bytes].flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (byte >> bit) & 1));
  return bits.flatMap((bit, index) => (bit === 0 ? [] : [{ position: index * cell, strength }]));
}

/** The same with checksums that are right, as far as there is something to check. */
export function signedP64(file: Uint8Array): Uint8Array {
  const signed = file.slice();
  const view = new DataView(signed.buffer);
  for (let at = 24; at + 12 <= signed.length; ) {
    const size = view.getUint32(at + 4, true);
    view.setUint32(at + 8, crc32(signed.subarray(at + 12, at + 12 + size)), true);
    at += 12 + size;
  }
  if (signed.length < 24) return signed;
  view.setUint32(16, signed.length - 24, true);
  view.setUint32(20, crc32(signed.subarray(24)), true);
  return signed;
}
