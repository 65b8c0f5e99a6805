import { crc32 } from 'node:zlib';
import { latin, long, MediaError } from './byte-fields.ts';
import { writeG64Tracks } from './g64.ts';
import { speedZone } from './gcr.ts';

/**
 * Disks as pulses: for each half track when the magnetic field turns, in steps of 16 MHz, and how sure that is, packed by an adaptive
 * range coder. Source: the description that Benjamin Rosseaux published with his format.
 */
const signature = 'P64-1541';
const headerBytes = 24;
const chunkBytes = 12;
const firstHalfTrack = 2;
const lastHalfTrack = 85;
const secondSide = 0x80;
/** Of one turn, at 300 turns a minute. */
const turnSteps = 3_200_000;
/** Closer together no head can tell them apart. */
const mostPulses = 80_000;
const pulsesAtOnce = 2000;
/** A pulse that is there in more than half of all turns. */
const surePulse = 0x8000_0000;
/** How quickly the coder's guesses follow. */
const adaption = 4;
const guesses = 0x1000;

export const isP64 = (file: Uint8Array): boolean => latin(file, 0, 8) === signature;

interface Chunk {
  readonly halfTrack: number;
  readonly bytes: Uint8Array;
}

/** The same disk as a G64, in steps of a few milliseconds. */
export function* g64OfP64(file: Uint8Array): Generator<void, Uint8Array> {
  const tracks: { halfTrack: number; bytes: Uint8Array; zone: number }[] = [];
  for (const { halfTrack, bytes } of chunksOf(file)) {
    const zone = speedZone(halfTrack >> 1);
    const bits = bitsOf(yield* pulsesIn(bytes, halfTrack), zone);
    if (bits.length > 0) tracks.push({ halfTrack, bytes: bits, zone });
    yield;
  }
  return writeG64Tracks(tracks);
}

function chunksOf(file: Uint8Array): readonly Chunk[] {
  if (!isP64(file)) throw new MediaError('no P64 image: its signature is missing');
  if (long(file, 8) !== 0) throw new MediaError(`a P64 image of version ${long(file, 8)}, which is not known here`);
  const all = file.subarray(headerBytes, headerBytes + long(file, 16));
  if (all.length < long(file, 16)) throw new MediaError('the P64 image is cut short');
  if (crc32(all) !== long(file, 20)) throw new MediaError('the P64 image is damaged: its checksum is another one');
  const chunks: Chunk[] = [];
  for (let at = 0; at + chunkBytes <= all.length; ) {
    const size = long(all, at + 4);
    const bytes = all.subarray(at + chunkBytes, at + chunkBytes + size);
    if (bytes.length < size) throw new MediaError('the P64 image is cut short');
    const number = all[at + 3] ?? 0;
    const isTrack = latin(all, at, 3) === 'HTP' && number >= firstHalfTrack && number <= lastHalfTrack;
    if (isTrack && (number & secondSide) === 0) {
      if (crc32(bytes) !== long(all, at + 8)) throw new MediaError(`half track ${number} of the P64 image is damaged`);
      if (chunks.some(({ halfTrack }) => halfTrack === number)) {
        throw new MediaError(`half track ${number} is in the P64 image twice`);
      }
      chunks.push({ halfTrack: number, bytes });
    }
    at += chunkBytes + size;
  }
  return chunks;
}

/** When there are pulses, in order. */
function* pulsesIn(chunk: Uint8Array, halfTrack: number): Generator<void, readonly number[]> {
  const count = long(chunk, 0);
  if (count > mostPulses) throw new MediaError(`half track ${halfTrack} of the P64 image has ${count} pulses`);
  const coder = new RangeDecoder(chunk.subarray(8, 8 + long(chunk, 4)));
  const [place, strength, isOther, isStronger] = [new Word(), new Word(), new Flag(), new Flag()];
  const pulses: number[] = [];
  let [position, step, sure] = [0, 0, 0];
  for (let index = 0; index < count; index += 1) {
    if (index % pulsesAtOnce === 0) yield;
    if (isOther.read(coder) !== 0) {
      step = place.read(coder);
      if (step === 0) break;
    }
    position += step;
    if (isStronger.read(coder) !== 0) sure = (sure + strength.read(coder)) >>> 0;
    if (position >= turnSteps) throw new MediaError(`half track ${halfTrack} of the P64 image is longer than a turn`);
    if (sure >= surePulse) pulses.push(position);
  }
  return pulses;
}

/** What the drive's electronics make of pulses: counters begin anew at each, and every fourth step of them is a bit, the first one set. */
function bitsOf(pulses: readonly number[], zone: number): Uint8Array {
  const [first] = pulses;
  if (first === undefined) return new Uint8Array();
  const cell = 16 - zone;
  const bytes: number[] = [];
  let [bits, byte] = [0, 0];
  const put = (bit: number) => {
    byte = (byte << 1) | bit;
    bits += 1;
    if (bits % 8 === 0) {
      bytes.push(byte & 0xff);
      byte = 0;
    }
  };
  for (const [index, pulse] of pulses.entries()) {
    const next = pulses[index + 1] ?? first + turnSteps;
    const count = Math.floor(((next - pulse) / cell + 2) / 4);
    for (let bit = 0; bit < count; bit += 1) put(bit === 0 ? 1 : 0);
  }
  // What is left of a byte would be a pulse out of step where the track begins again.
  return Uint8Array.from(bytes);
}

/** Bits by how likely each is. */
class RangeDecoder {
  readonly #bytes: Uint8Array;
  #at = 0;
  #low = 0;
  #high = 0xffff_ffff;
  #code = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    for (let index = 0; index < 4; index += 1) this.#code = this.#next(this.#code);
  }

  /** `likely`: by context, how likely a 1 is. */
  bit(likely: Uint16Array, context: number): number {
    const chance = likely[context] as number;
    const middle = (this.#low + Math.imul((this.#high - this.#low) >>> 12, chance)) >>> 0;
    const isSet = this.#code <= middle;
    if (isSet) {
      likely[context] = chance + ((guesses - 1 - chance) >> adaption);
      this.#high = middle;
    } else {
      likely[context] = chance - (chance >> adaption);
      this.#low = middle + 1;
    }
    while (((this.#low ^ this.#high) & 0xff00_0000) === 0) {
      this.#low = (this.#low << 8) >>> 0;
      this.#high = ((this.#high << 8) | 0xff) >>> 0;
      this.#code = this.#next(this.#code);
    }
    return isSet ? 1 : 0;
  }

  #next(code: number): number {
    const byte = this.#bytes[this.#at] ?? 0;
    this.#at += 1;
    return ((code << 8) | byte) >>> 0;
  }
}

/** One bit, whose chance depends on the one before. */
class Flag {
  readonly #likely = new Uint16Array(2).fill(guesses / 2);
  #last = 0;

  read(coder: RangeDecoder): number {
    this.#last = coder.bit(this.#likely, this.#last);
    return this.#last;
  }
}

/** Four bytes, the lowest first, each with chances that depend on its own bits so far and on the byte that was in its place before. */
class Word {
  readonly #likely = new Uint16Array(4 * 0x10000).fill(guesses / 2);
  readonly #last = new Uint8Array(4);

  read(coder: RangeDecoder): number {
    let value = 0;
    for (let index = 0; index < 4; index += 1) {
      const before = (index << 16) | ((this.#last[index] as number) << 8);
      let context = 1;
      for (let bit = 0; bit < 8; bit += 1) context = (context << 1) | coder.bit(this.#likely, before | context);
      this.#last[index] = context & 0xff;
      value |= (context & 0xff) << (8 * index);
    }
    return value >>> 0;
  }
}
