import { type MechanicsWords, mechanicsFields as m } from './drive-1541-state.ts';
import type { GcrSlot } from './gcr-slot.ts';

/** Everything here is counted in sixteenths of a microsecond. */
const clocksPerCycle = 16;
/** A turn at 300 rpm. */
const clocksPerTurn = 3_200_000;
const lastHalfTrack = 83;

const CLOCK = m.clock;
const BIT = m.bit;
const SHIFTER = m.shifter;
const BIT_COUNT = m.bitCount;
const HALF_TRACK = m.halfTrack;
const READ_CLOCK = m.readClock;
const READ_COUNTER = m.readCounter;
/** Where there is nothing on the disk, its place still moves. */
const unformattedBits = 50_000;

/** What the head needs of the electronics around it. */
export interface HeadWires {
  /** A byte has come in, or the next one to be written is wanted. */
  byteReady(byte: number): void;
  /** The byte that is to be written. */
  byteToWrite(): number;
}

/**
 * Motor, stepper and head of a 1541 with the circuit behind it. A turn takes 200 ms, however many bits the track has. Each
 * one on it starts a counter anew that runs with the clock of the zone; in the second of every four counts a bit is taken: a
 * one in the first four, zeros after that. Ten ones in a row are SYNC, then a byte is ready every eight bits. One call of
 * `turn` is a microsecond.
 * Not emulated: other speeds than 300 rpm, weak bits, the time the motor takes to start and stop; what is written takes the
 * bits that the track has, whatever the zone.
 */
export class DiskHead {
  readonly #words: MechanicsWords;
  readonly #slot: GcrSlot;
  readonly #wires: HeadWires;
  /** The track under the head: a cache. */
  #track: Uint8Array = new Uint8Array();
  #bits = 0;
  #readPeriod = 16;
  isWriting = false;

  constructor(words: MechanicsWords, slot: GcrSlot, wires: HeadWires) {
    this.#words = words;
    this.#slot = slot;
    this.#wires = wires;
  }

  /** The disk, the head's place or the words have changed. */
  reload(): void {
    this.#track = this.#slot.track(this.#words[HALF_TRACK]);
    this.#bits = this.#track.length * 8;
    this.#words[BIT] %= Math.max(1, this.#bits);
  }

  set zone(zone: number) {
    this.#readPeriod = 16 - zone;
  }

  /** The stepper's coils: the head follows when the one beside that of its place is switched on. */
  follow(coil: number): void {
    const words = this.#words;
    const before = words[HALF_TRACK];
    // Coil 0 is that of track 1.
    const move = (coil - before) & 3;
    if (move === 1 && before < lastHalfTrack) words[HALF_TRACK] = before + 1;
    else if (move === 3 && before > 0) words[HALF_TRACK] = before - 1;
    if (words[HALF_TRACK] === before) return;
    const bits = this.#bits;
    const place = words[BIT];
    this.reload();
    // The disk turns on under it: the place stays the same part of a turn.
    if (bits > 0 && this.#bits > 0) words[BIT] = Math.floor((place * this.#bits) / bits);
  }

  /** Ten ones in a row have just passed, and nothing is being written. */
  get isSync(): boolean {
    return (this.#words[SHIFTER] & 0x3ff) === 0x3ff && !this.isWriting;
  }

  /** A microsecond with the motor on. */
  turn(): void {
    const words = this.#words;
    const bits = this.#bits === 0 ? unformattedBits : this.#bits;
    let place = words[CLOCK];
    let left = clocksPerCycle;
    while (left > 0) {
      const toRead = this.#readPeriod - words[READ_CLOCK];
      // Never 0: the place lies before the end of the bit.
      const toBit = Math.ceil((clocksPerTurn - place) / bits);
      const step = Math.min(left, toBit, Math.max(1, toRead));
      left -= step;
      place += step * bits;
      words[READ_CLOCK] += step;
      if (words[READ_CLOCK] >= this.#readPeriod) this.#count();
      if (place >= clocksPerTurn) {
        place -= clocksPerTurn;
        if (this.isWriting) this.#writeBit();
        else this.#passBit();
      }
    }
    words[CLOCK] = place;
  }

  /** A bit of the track comes under the head; a one is a change of flux. */
  #passBit(): void {
    const words = this.#words;
    const bit = words[BIT];
    if (this.#bits !== 0 && (((this.#track[bit >> 3] as number) >> (7 - (bit & 7))) & 1) !== 0) {
      words[READ_CLOCK] = 0;
      words[READ_COUNTER] = 0;
    }
    words[BIT] = bit + 1 >= this.#bits ? 0 : bit + 1;
  }

  #count(): void {
    const words = this.#words;
    words[READ_CLOCK] = 0;
    const counter = (words[READ_COUNTER] + 1) & 15;
    words[READ_COUNTER] = counter;
    if ((counter & 3) === 2 && !this.isWriting) this.#takeBit((counter & 12) === 0 ? 1 : 0);
  }

  #takeBit(value: number): void {
    const words = this.#words;
    const shifter = ((words[SHIFTER] << 1) | value) & 0x3ff;
    words[SHIFTER] = shifter;
    if (shifter === 0x3ff) {
      words[BIT_COUNT] = 0;
      return;
    }
    const count = words[BIT_COUNT] + 1;
    words[BIT_COUNT] = count & 7;
    if (count === 8) this.#wires.byteReady(shifter & 0xff);
  }

  #writeBit(): void {
    const words = this.#words;
    const bit = words[BIT];
    const value = (words[m.writing] >> 7) & 1;
    this.#slot.writeBit(words[HALF_TRACK], bit, value);
    if (this.#bits === 0) this.reload();
    words[BIT] = bit + 1 >= this.#bits ? 0 : bit + 1;
    words[SHIFTER] = ((words[SHIFTER] << 1) | value) & 0x3ff;
    words[m.writing] = (words[m.writing] << 1) & 0xff;
    const count = words[BIT_COUNT] + 1;
    words[BIT_COUNT] = count & 7;
    if (count < 8) return;
    words[m.writing] = this.#wires.byteToWrite();
    this.#wires.byteReady(words[m.writing]);
  }
}
