import { DeviceClock } from '../device-clock.ts';
import { SAMPLE_HZ, type SoundSink } from '../sound-sink.ts';
import { readWide, writeWide } from '../wide-word.ts';
import { fields, stateWords } from './fields.ts';

export interface Sn76496Wires {
  now(): number;
  readonly instructionsPerSecond: number;
  readonly sink: SoundSink;
}

/** 3.58 MHz by 16: what the counters count. */
const TICK_HZ = 3_579_545 / 16;
const SILENT = 15;
const LOUDNESS = 0.15;
const NOISE = 6;
const LONGEST = 1024;
/** Ticks between shifts of the noise; the fourth way is the third tone's. */
const shifts = [32, 64, 128] as const;
const noiseBits = noise();

/**
 * Texas Instruments SN76496, as in the PCjr and the Tandy 1000 at port C0h: three square waves and noise.
 *
 *            +---------+
 *   D0-7 --->| SN76496 |---> sound (sink)
 *            +---------+
 *
 * What is heard follows from the registers and the time alone, so nothing has to be worked out while nobody listens; a tone that
 * is changed does not keep its phase.
 *
 * Source: Texas Instruments SN76496 data sheet. Not emulated: the chip's time to take a write (READY), Tandy's multiplexer.
 */
export class Sn76496 {
  readonly #s: Int32Array;
  readonly #wires: Sn76496Wires;
  readonly #samples: DeviceClock;

  constructor(state: Int32Array, wires: Sn76496Wires) {
    this.#s = state;
    this.#wires = wires;
    this.#samples = new DeviceClock(SAMPLE_HZ, wires.instructionsPerSecond);
  }

  powerOn(): void {
    this.#s.fill(0, 0, stateWords);
    for (const volume of [1, 3, 5, 7]) this.#s[volume] = SILENT;
  }

  write(value: number): void {
    const s = this.#s;
    this.catchUp(this.#wires.now());
    if ((value & 0x80) !== 0) s[fields.latch] = (value >> 4) & 7;
    const register = s[fields.latch];
    const isTone = (register & 1) === 0 && register !== NOISE;
    if (!isTone) s[register] = value & 15;
    else if ((value & 0x80) !== 0) s[register] = (s[register] & 0x3f0) | (value & 15);
    else s[register] = (s[register] & 15) | ((value & 0x3f) << 4);
  }

  /** A register as it was last written. */
  peek(register: number): number {
    return this.#s[register & 7];
  }

  /** Of a tone (0 to 2), in hertz. */
  hertz(tone: number): number {
    return TICK_HZ / (2 * this.#period(tone * 2));
  }

  /** Hands on the samples up to this instruction count. */
  catchUp(count: number): void {
    const s = this.#s;
    const from = readWide(s, fields.sample);
    const to = this.#samples.ticksAt(count);
    if (to <= from) return;
    writeWide(s, fields.sample, to);
    if (!this.#wires.sink.active || [1, 3, 5, 7].every((volume) => s[volume] === SILENT)) return;
    for (let sample = from; sample < to; sample++) {
      const start = (sample * TICK_HZ) / SAMPLE_HZ;
      const end = ((sample + 1) * TICK_HZ) / SAMPLE_HZ;
      let sum = this.#noise(end) * loudness(s[7]);
      for (let tone = 0; tone < NOISE; tone += 2) {
        if (s[tone + 1] === SILENT) continue;
        const period = this.#period(tone);
        sum += ((2 * (high(end, period) - high(start, period))) / (end - start) - 1) * loudness(s[tone + 1]);
      }
      this.#wires.sink.add(sample, sum * LOUDNESS);
    }
  }

  #period(register: number): number {
    return this.#s[register] || LONGEST;
  }

  #noise(tick: number): number {
    const control = this.#s[NOISE];
    const ticks = shifts[control & 3] ?? 2 * this.#period(4);
    const shift = Math.floor(tick / ticks);
    const bit = (control & 4) !== 0 ? noiseBits[shift % noiseBits.length] : shift % 15 === 0 ? 1 : 0;
    return bit !== 0 ? 1 : -1;
  }
}

/** For how many of so many ticks a square wave is high. */
function high(ticks: number, period: number): number {
  const whole = Math.floor(ticks / (2 * period));
  return whole * period + Math.min(ticks - whole * 2 * period, period);
}

/** Steps of 2 dB. */
function loudness(volume: number): number {
  return volume === SILENT ? 0 : 10 ** (-volume / 10);
}

/** All bits of the 15-bit shift register, which then begin anew. */
function noise(): Uint8Array {
  let register = 0x4000;
  return Uint8Array.from({ length: 32_767 }, () => {
    const bit = register & 1;
    register = (register >> 1) | (((register ^ (register >> 1)) & 1) << 14);
    return bit;
  });
}
