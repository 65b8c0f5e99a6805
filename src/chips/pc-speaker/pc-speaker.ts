import { DeviceClock } from '../device-clock.ts';
import { SAMPLE_HZ, type SoundSink } from '../sound-sink.ts';
import { readWide, writeWide } from '../wide-word.ts';
import { fields, type PcSpeakerState, stateWords } from './fields.ts';

export interface PcSpeakerWires {
  now(): number;
  readonly instructionsPerSecond: number;
  readonly sink: SoundSink;
  /** The timer's gate 2. */
  gate2(level: number): void;
  /** The timer's OUT 2, and OUT 1 as it toggles the refresh bit. */
  out2(): number;
  /** Ticks of the timer at an instruction count, and how many of those in [from, to) OUT 2 is high for. */
  timerTicks(count: number): number;
  highTicks2(from: number, to: number): number;
}

const TIMER_HZ = 1_193_182;
/** Below what the other sources give, so that a beep does not drown them. */
const LOUDNESS = 0.25;

/**
 * System control port B (61h) and the loudspeaker behind it.
 *
 *             +-------------+
 *  61h bit 0->| gate 2      |
 *  61h bit 1->| speaker     |---> loudspeaker = OUT 2 and bit 1
 *  OUT 2   -->| 61h bit 5   |
 *  refresh -->| 61h bit 4   |
 *             +-------------+
 *
 * Sound is the share of each sample for which the cone is pushed out, so that programs playing samples by pulse width sound as
 * they should. `catchUp` must be called before the timer's counter 2 is written.
 *
 * Source: IBM AT Technical Reference. Not emulated: the loudspeaker's own response, parity and channel check bits (never set).
 */
export class PcSpeaker {
  readonly #s: PcSpeakerState;
  readonly #wires: PcSpeakerWires;
  readonly #samples: DeviceClock;

  constructor(state: Int32Array, wires: PcSpeakerWires) {
    this.#s = state as PcSpeakerState;
    this.#wires = wires;
    this.#samples = new DeviceClock(SAMPLE_HZ, wires.instructionsPerSecond);
  }

  powerOn(): void {
    this.#s.fill(0, 0, stateWords);
  }

  read(): number {
    const refresh = (Math.floor(this.#wires.timerTicks(this.#wires.now()) / 18) & 1) << 4;
    return this.#s[fields.control] | refresh | (this.#wires.out2() << 5);
  }

  write(value: number): void {
    const s = this.#s;
    this.catchUp(this.#wires.now());
    const before = s[fields.control];
    s[fields.control] = value & 0x0f;
    if (((value ^ before) & 1) !== 0) this.#wires.gate2(value & 1);
  }

  /** Whether anything can be heard. */
  get isOn(): boolean {
    return (this.#s[fields.control] & 2) !== 0;
  }

  /** Hands on the samples up to this instruction count. What is written next may come in the middle of one. */
  catchUp(count: number): void {
    const s = this.#s;
    const tick = this.#wires.timerTicks(count);
    if (tick <= readWide(s, fields.known)) return;
    const next = this.#samples.ticksAt(count);
    for (let sample = readWide(s, fields.sample); this.#wires.sink.active && sample < next; sample++)
      this.#hear(sample);
    const begin = tickOf(next);
    if (begin > readWide(s, fields.known)) {
      writeWide(s, fields.known, begin);
      s[fields.part] = 0;
    }
    s[fields.part] += this.#moved(readWide(s, fields.known), tick);
    writeWide(s, fields.sample, next);
    writeWide(s, fields.known, tick);
  }

  /** A whole sample, the first part of which may be known. */
  #hear(sample: number): void {
    const s = this.#s;
    const [begin, end] = [tickOf(sample), tickOf(sample + 1)];
    const moved = s[fields.part] + this.#moved(Math.max(begin, readWide(s, fields.known)), end);
    if (this.isOn || moved !== 0) this.#wires.sink.add(sample, (moved / (end - begin)) * LOUDNESS);
    s[fields.part] = 0;
  }

  /** Ticks of these with the cone out less those with it in; none while the loudspeaker is off. */
  #moved(from: number, to: number): number {
    return this.isOn && to > from ? 2 * this.#wires.highTicks2(from, to) - (to - from) : 0;
  }
}

/** The timer's tick at which a sample begins. */
function tickOf(sample: number): number {
  const seconds = Math.floor(sample / SAMPLE_HZ);
  return seconds * TIMER_HZ + Math.floor(((sample - seconds * SAMPLE_HZ) * TIMER_HZ) / SAMPLE_HZ);
}
