import { halfTracks } from './gcr-image.ts';
import { type MechanicsWords, mechanicsFields as m } from './processor-state.ts';
import type { SurfaceSlot } from './surface-slot.ts';

/** Everything here is counted in sixteenths of a microsecond. */
const clocksPerMicrosecond = 16;
/** A turn at 300 rpm. */
const clocksPerTurn = 3_200_000;
const lastHalfTrack = 83;
/** VICE's stops half a track earlier. */
const lastOfVice = 82;

/** Where there is nothing on the disk, its place still moves. */
const unformattedBits = 50_000;

/** Without a change of flux the amplifier is turned up until it takes noise for one: first after 18 µs, then at random. */
const noise = { first: 289, firstSpread: 31, next: 33, nextSpread: 367 } as const;

/** A byte that is complete later than in this part of a cycle reaches the processor one cycle later. */
const partInTime = 7 / 16;

/** So many cycles are looked ahead for the next byte; within SYNC there is none. */
const lookAhead = 512;

/** In the word of a byte that is ready later: how much later, after the byte itself. */
const lateShift = 10;
const lateMask = (1 << lateShift) - 1;

/** VICE tells its processor of a byte a cycle later than here, and shows SYNC and bytes as they are so many clocks before the end of a cycle. */
const earlyClocks = 2;

/** What the head takes for half a track, and how long it swings when it is called back on its way: nothing can be read then. */
const moveCycles = 900;
const swingCycles = 10_000;

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
 * one in the first four, zeros after that. Ten ones in a row are SYNC, then a byte is ready every eight bits. Where no one comes
 * for long, as on weak bits and unformatted tracks, noise is read instead, from a generator whose state is in the words.
 *
 * The head follows a coil 0.9 ms after it was switched on. Coils that change faster leave it where it is, swinging.
 *
 * While it reads, the moment of the next byte is found in advance and the head is left alone until then, or until somebody
 * looks (`catchUp`). One call of `turn` is a cycle of the processor: a microsecond, or half of one on a 1571 at 2 MHz.
 * Not emulated: other speeds than 300 rpm, the time the motor takes to start and stop; what is written takes the bits that the
 * track has, whatever the zone.
 */
export class DiskHead {
  readonly #words: MechanicsWords;
  readonly #slot: SurfaceSlot;
  readonly #wires: HeadWires;
  /** The track under the head: a cache. */
  #track: Uint8Array = new Uint8Array();
  #bits = 0;
  /** Where it begins, as a part of a turn. */
  #startAngle = 0;
  #readPeriod = 16;
  /** Sixteenths of a microsecond in a cycle. */
  #clocksPerCycle = clocksPerMicrosecond;
  #isWriting = false;
  /** Whether it works as that of VICE does. */
  isAsVice = false;
  /** Cycles that have passed since the words were right. */
  #behind = 0;
  /** Cycles until the planned moment, the words as they are then, and the byte that is ready then (-1: none). */
  #left = 0;
  #hasPlan = false;
  #plannedByte = -1;
  readonly #planned: MechanicsWords;
  /** What the processor sees of the words of VICE's. */
  readonly #seen: MechanicsWords;

  constructor(words: MechanicsWords, slot: SurfaceSlot, wires: HeadWires) {
    this.#words = words;
    this.#slot = slot;
    this.#wires = wires;
    this.#planned = words.slice(0, m.pending) as MechanicsWords;
    this.#seen = words.slice(0, m.pending) as MechanicsWords;
  }

  /** The disk or the words have changed: what was planned is void. */
  reload(cyclesPerMicrosecond = 1): void {
    this.#clocksPerCycle = clocksPerMicrosecond / cyclesPerMicrosecond;
    this.#behind = 0;
    this.#forgetPlan();
    this.#load();
    this.#words[m.bit] %= this.#bitsPerTurn;
  }

  #load(): void {
    this.#track = this.#slot.track(this.#place);
    this.#bits = this.#track.length * 8;
    this.#startAngle = this.#bits === 0 ? 0 : this.#slot.startAngle(this.#place);
  }

  get #bitsPerTurn(): number {
    return this.#bits === 0 ? unformattedBits : this.#bits;
  }

  /** Which of the disk's half tracks is under the head. */
  get #place(): number {
    return this.#words[m.halfTrack] + (this.#words[m.side] === 0 ? 0 : halfTracks);
  }

  #forgetPlan(): void {
    this.#left = 0;
    this.#hasPlan = false;
    this.#plannedByte = -1;
  }

  /** Brings the words up to the present. */
  catchUp(): void {
    const cycles = this.#behind;
    if (cycles === 0) return;
    this.#behind = 0;
    this.#read(this.#words, cycles, false);
    this.#pass(cycles);
  }

  #drop(): void {
    this.catchUp();
    this.#forgetPlan();
  }

  set zone(zone: number) {
    if (this.#readPeriod === 16 - zone) return;
    this.#drop();
    this.#readPeriod = 16 - zone;
  }

  /** Cycles in a microsecond, 1 or 2; times that are under way are counted in them. */
  set cyclesPerMicrosecond(cycles: number) {
    const clocks = clocksPerMicrosecond / cycles;
    if (this.#clocksPerCycle === clocks) return;
    this.#drop();
    const words = this.#words;
    words[m.moveLeft] = Math.ceil((words[m.moveLeft] * this.#clocksPerCycle) / clocks);
    words[m.swingLeft] = Math.ceil((words[m.swingLeft] * this.#clocksPerCycle) / clocks);
    this.#clocksPerCycle = clocks;
  }

  /** 0 below, 1 above, of a drive with two heads. */
  set side(side: number) {
    if (this.#words[m.side] === side) return;
    this.#drop();
    this.#words[m.side] = side;
    this.#changeTrack();
  }

  get isWriting(): boolean {
    return this.#isWriting;
  }

  set isWriting(isWriting: boolean) {
    if (this.#isWriting === isWriting) return;
    this.#drop();
    this.#isWriting = isWriting;
  }

  /** The stepper's coils: the head goes to the one beside that of its place when that is switched on. `isStart`: together with the motor. */
  follow(coil: number, isStart: boolean): void {
    const words = this.#words;
    if (this.isAsVice) {
      this.#jump(coil, isStart);
      return;
    }
    if (coil === words[m.coil]) return;
    this.#drop();
    words[m.coil] = coil;
    // On its way to another one: it does not get there.
    const scale = clocksPerMicrosecond / this.#clocksPerCycle;
    if (words[m.moveLeft] > 0) words[m.swingLeft] = swingCycles * scale;
    words[m.moveLeft] = this.#direction === 0 ? 0 : moveCycles * scale;
  }

  /** Where the coil that is on pulls it. Coil 0 is that of track 1. */
  get #direction(): number {
    const move = (this.#words[m.coil] - this.#words[m.halfTrack]) & 3;
    return move === 1 ? 1 : move === 3 ? -1 : 0;
  }

  /** At once, twice when the motor starts, and then to the opposite coil too. */
  #jump(coil: number, isStart: boolean): void {
    this.#words[m.coil] = coil;
    const move = (coil - this.#words[m.halfTrack]) & 3;
    if (move === 0 || (move === 2 && !isStart)) return;
    this.#drop();
    const steps = move === 3 ? -1 : move;
    this.#step(isStart && move !== 2 ? steps * 2 : steps);
  }

  /** It has come to the coil. */
  #step(move = this.#direction): void {
    const words = this.#words;
    const last = this.isAsVice ? lastOfVice : lastHalfTrack;
    const after = Math.min(last, Math.max(0, words[m.halfTrack] + move));
    if (after === words[m.halfTrack]) return;
    words[m.halfTrack] = after;
    this.#changeTrack();
  }

  #changeTrack(): void {
    const words = this.#words;
    // The disk turns on under it: its angle stays the same, also over tracks with nothing on them.
    const { [m.bit]: bit } = words;
    const [bits, start] = [this.#bitsPerTurn, this.#startAngle];
    this.#load();
    if (start === this.#startAngle) {
      words[m.bit] = Math.floor((bit * this.#bitsPerTurn) / bits);
      return;
    }
    const turned = (((bit / bits + start) % 1) - this.#startAngle + 1) % 1;
    words[m.bit] = Math.min(this.#bitsPerTurn - 1, Math.floor(turned * this.#bitsPerTurn));
  }

  /** So many cycles of its way are over; the answer is whether it has arrived. */
  #pass(cycles: number): boolean {
    const words = this.#words;
    if (words[m.swingLeft] > 0) words[m.swingLeft] -= Math.min(cycles, words[m.swingLeft]);
    if (words[m.moveLeft] === 0) return false;
    words[m.moveLeft] -= Math.min(cycles, words[m.moveLeft]);
    return words[m.moveLeft] === 0;
  }

  /** Ten ones in a row have just passed, and nothing is being written. */
  get isSync(): boolean {
    if (!this.isAsVice) this.catchUp();
    const words = this.isAsVice ? this.#wordsSeen : this.#words;
    return (words[m.shifter] & 0x3ff) === 0x3ff && !this.#isWriting;
  }

  /** The last byte as VICE's processor reads it: in the register as soon as it is whole. */
  get byteSeen(): number {
    return this.#wordsSeen[m.lastByte];
  }

  get #wordsSeen(): MechanicsWords {
    if (this.#behind === 0) return this.#words;
    this.#read(this.#seen, this.#behind, false, earlyClocks);
    return this.#seen;
  }

  /** How many of the next cycles can be left alone. */
  get quietCycles(): number {
    return this.#left;
  }

  /** So many of them have passed. */
  leaveAlone(cycles: number): void {
    this.#left -= cycles;
    this.#behind += cycles;
  }

  /** A microsecond with the motor on. */
  turn(): void {
    if (this.#left === 0) {
      if (this.#isWriting) {
        this.#write();
        if (this.#pass(1)) this.#step();
        return;
      }
      if (!this.#hasPlan) this.#plan();
    }
    if (this.#left > 0) {
      this.#left -= 1;
      this.#behind += 1;
      return;
    }
    const byte = this.#plannedByte;
    this.#arrive();
    if (byte >= 0) this.#wires.byteReady(byte);
  }

  /** The plan ends with a byte, when the head has moved or has come to rest, or where nothing happens for long. */
  #plan(): void {
    this.catchUp();
    const { moveLeft, swingLeft } = m;
    let most = lookAhead;
    if (this.#words[moveLeft] > 0) most = Math.min(most, this.#words[moveLeft]);
    if (this.#words[swingLeft] > 0) most = Math.min(most, this.#words[swingLeft]);
    this.#left = this.#read(this.#planned, most, true) - 1;
    this.#hasPlan = true;
  }

  /** The cycle with which the plan ends. */
  #arrive(): void {
    const words = this.#words;
    const planned = this.#planned;
    words[m.clock] = planned[m.clock];
    words[m.bit] = planned[m.bit];
    words[m.shifter] = planned[m.shifter];
    words[m.bitCount] = planned[m.bitCount];
    words[m.readClock] = planned[m.readClock];
    words[m.readCounter] = planned[m.readCounter];
    words[m.noiseLeft] = planned[m.noiseLeft];
    words[m.noiseSeed] = planned[m.noiseSeed];
    words[m.lateByte] = planned[m.lateByte];
    if (this.isAsVice) words[m.lastByte] = planned[m.lastByte];
    const cycles = this.#behind + 1;
    this.#behind = 0;
    this.#forgetPlan();
    if (this.#pass(cycles)) this.#step();
  }

  /**
   * What so many cycles make of the words, written to `result`; with `untilByte` they end with the one in which a byte is ready,
   * which is then `#plannedByte`. The answer is how many they were. `early` clocks before the end of the last one are left out.
   */
  #read(result: MechanicsWords, cycles: number, untilByte: boolean, early = 0): number {
    const words = this.#words;
    const track = this.#track;
    const bitsOfTrack = this.#bits;
    const bits = bitsOfTrack === 0 ? unformattedBits : bitsOfTrack;
    const isReadable = bitsOfTrack !== 0 && words[m.swingLeft] === 0;
    const period = this.#readPeriod;
    const clocksPerCycle = this.#clocksPerCycle;
    const lastClockInTime = clocksPerCycle * partInTime;
    let place = words[m.clock];
    let bit = words[m.bit];
    let shifter = words[m.shifter];
    let count = words[m.bitCount];
    // Moments from here on: of the last one on the disk, of the next bit taken (in the second of every four periods), of noise.
    const sinceOne = words[m.readCounter] * period + Math.min(words[m.readClock], period - 1);
    let oneAt = -sinceOne;
    let takeAt = (6 - (words[m.readCounter] & 3)) * period - (sinceOne % period);
    if (takeAt > 4 * period) takeAt -= 4 * period;
    let noiseAt = words[m.noiseLeft] > 0 ? words[m.noiseLeft] : noise.first;
    let seed = words[m.noiseSeed];
    const delay = this.isAsVice ? clocksPerCycle : 0;
    let last = words[m.lastByte];
    // Of a byte that is late: itself, counted from 1, and for how many more cycles than one.
    const before = words[m.lateByte];
    const wait = before >> lateShift;
    let late = !untilByte && wait >= cycles ? before - (cycles << lateShift) : 0;
    let ready = (before & lateMask) - 1;
    let limit = ready >= 0 && untilByte ? (wait + 1) * clocksPerCycle : cycles * clocksPerCycle - early;
    const clocksPerBit = Math.floor(clocksPerTurn / bits);
    const uneven = clocksPerTurn - clocksPerBit * bits;
    let placeAt = 0;
    let bitAt = Math.ceil((clocksPerTurn - place) / bits);
    let at = 0;
    while (at < limit) {
      at = limit;
      if (bitAt < at) at = bitAt;
      if (noiseAt < at) at = noiseAt;
      if (takeAt < at) at = takeAt;
      if (at === takeAt) {
        takeAt += 4 * period;
        if (at - oneAt >= 16 * period) oneAt += 16 * period;
        shifter = ((shifter << 1) | (at - oneAt < 4 * period ? 1 : 0)) & 0x3ff;
        count = shifter === 0x3ff ? 0 : count + 1;
        if (count === 8) {
          count = 0;
          last = shifter & 0xff;
          const isLate = ((at - 1) & (clocksPerCycle - 1)) >= lastClockInTime;
          const end = ((at + clocksPerCycle - 1) & -clocksPerCycle) + delay + (isLate ? clocksPerCycle : 0);
          if (end > limit) late = ((shifter & 0xff) + 1) | (((end - limit) / clocksPerCycle - 1) << lateShift);
          else if (untilByte) {
            ready = shifter & 0xff;
            limit = end;
          }
        }
      }
      if (at === bitAt) {
        place += (at - placeAt) * bits - clocksPerTurn;
        placeAt = at;
        bitAt += place < uneven ? clocksPerBit + 1 : clocksPerBit;
        if (isReadable && (((track[bit >> 3] as number) >> (7 - (bit & 7))) & 1) !== 0) {
          oneAt = at;
          takeAt = at + 2 * period;
          noiseAt = at + noise.first + (seed & noise.firstSpread);
        }
        bit = bit + 1 >= bits ? 0 : bit + 1;
      }
      if (noiseAt <= at) {
        oneAt = at;
        takeAt = at + 2 * period;
        seed = (Math.imul(seed, 1_103_515_245) + 12_345) | 0;
        noiseAt = at + noise.next + ((seed >>> 16) % noise.nextSpread);
      }
    }
    place += (at - placeAt) * bits;
    result[m.clock] = place;
    result[m.bit] = bit;
    result[m.shifter] = shifter;
    result[m.bitCount] = count;
    result[m.readClock] = (at - oneAt) % period;
    result[m.readCounter] = Math.floor((at - oneAt) / period) & 15;
    result[m.noiseLeft] = noiseAt - at;
    result[m.noiseSeed] = seed;
    result[m.lateByte] = late;
    if (this.isAsVice) result[m.lastByte] = last;
    if (untilByte) this.#plannedByte = ready;
    return limit / clocksPerCycle;
  }

  /** A cycle with the write gate open. */
  #write(): void {
    const words = this.#words;
    const bits = this.#bits === 0 ? unformattedBits : this.#bits;
    let place = words[m.clock];
    let left = this.#clocksPerCycle;
    words[m.noiseLeft] = noise.first;
    while (left > 0) {
      const toRead = this.#readPeriod - words[m.readClock];
      const toBit = Math.ceil((clocksPerTurn - place) / bits);
      const step = Math.min(left, toBit, Math.max(1, toRead));
      left -= step;
      place += step * bits;
      words[m.readClock] += step;
      if (words[m.readClock] >= this.#readPeriod) {
        words[m.readClock] = 0;
        words[m.readCounter] = (words[m.readCounter] + 1) & 15;
      }
      if (place >= clocksPerTurn) {
        place -= clocksPerTurn;
        this.#writeBit();
      }
    }
    words[m.clock] = place;
  }

  #writeBit(): void {
    const words = this.#words;
    const bit = words[m.bit];
    const value = (words[m.writing] >> 7) & 1;
    this.#slot.writeBit(this.#place, bit, value);
    if (this.#bits === 0) this.#load();
    words[m.bit] = bit + 1 >= this.#bitsPerTurn ? 0 : bit + 1;
    words[m.shifter] = ((words[m.shifter] << 1) | value) & 0x3ff;
    words[m.writing] = (words[m.writing] << 1) & 0xff;
    const count = words[m.bitCount] + 1;
    words[m.bitCount] = count & 7;
    if (count < 8) return;
    words[m.writing] = this.#wires.byteToWrite();
    this.#wires.byteReady(words[m.writing]);
  }
}
