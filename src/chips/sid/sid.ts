import {
  catchUpEnvelope,
  clockEnvelope,
  gateEnvelope,
  resetEnvelope,
  traceEnvelope,
  writeAttackDecay,
  writeSustainRelease,
} from './envelope.ts';
import { fields, stateWords, VOICE_WORDS, type VoiceState, voiceFields } from './fields.ts';
import { freeCycles, skipOscillator, traceOscillator } from './free-running.ts';
import {
  clockOscillator,
  controlOscillator,
  type OscillatorModel,
  outputOscillator,
  resetOscillator,
  synchronize,
} from './oscillator.ts';
import { TRACE_CYCLES, tracedWaves } from './trace-space.ts';
import { combinedWavesOf, type SidModel } from './waveforms.ts';

export type { SidModel } from './waveforms.ts';

const BUS_VALUE = fields.busValue;
const BUS_FADE = fields.busFade;
const FREQUENCY = voiceFields.frequency;
const PULSE_WIDTH = voiceFields.pulseWidth;
const WAVE_OUTPUT = voiceFields.waveOutput;

const NOBODY = 0;

/** Cycles after which a byte on the data bus is gone. */
const BUS_FADE_CYCLES = { '6581': 0x1d00, '8580': 0xa2000 } as const;

const oscillatorModel = (model: SidModel): OscillatorModel =>
  model === '6581'
    ? {
        old: true,
        combinedWaves: combinedWavesOf(model),
        noiseFadeStart: 50_000,
        noiseFadeStep: 15_000,
        floatFadeStart: 54_000,
        floatFadeStep: 1_400,
      }
    : {
        old: false,
        combinedWaves: combinedWavesOf(model),
        noiseFadeStart: 986_000,
        noiseFadeStep: 314_300,
        floatFadeStart: 800_000,
        floatFadeStep: 50_000,
      };

/**
 * MOS 6581 / 8580 Sound Interface Device, the digital part: three oscillators and envelopes as the registers show them.
 * `SidOutput` makes sound of the same words.
 *
 *            +--------+
 *   A0-4  -->|        |--> AUDIO OUT (SidOutput)
 *   D0-7 <-->|  6581  |
 *   POTX  -->|  8580  |
 *   POTY  -->|        |
 *            +--------+
 *
 * Nothing here needs a call per cycle: before a `read` or `write` the board calls `catchUp` with the cycles since the last
 * one. The board calls `powerOn()` once.
 *
 * Sources: Bob Yannes' interview; what Dag Lem and the libsidplayfp authors published on the die; VICE's test programs SID/.
 * Not emulated: the drift of combined waveforms over time and between chips, bit by bit fading of the data bus (a byte is
 * there or gone), the 512-cycle measurement of the paddles (the board's words are read as they are).
 */
export class Sid {
  readonly #s: Int32Array;
  readonly #v1: VoiceState;
  readonly #v2: VoiceState;
  readonly #v3: VoiceState;
  #model: OscillatorModel;
  #busFadeCycles: number;

  constructor(state: Int32Array, model: SidModel) {
    this.#s = state;
    const voice = (index: number) => state.subarray(index * VOICE_WORDS, (index + 1) * VOICE_WORDS) as VoiceState;
    this.#v1 = voice(0);
    this.#v2 = voice(1);
    this.#v3 = voice(2);
    this.#model = oscillatorModel(model);
    this.#busFadeCycles = BUS_FADE_CYCLES[model];
  }

  /** Another chip in the socket; what it plays goes on. */
  refit(model: SidModel): void {
    this.#model = oscillatorModel(model);
    this.#busFadeCycles = BUS_FADE_CYCLES[model];
  }

  powerOn(): void {
    this.#s.fill(0, 0, stateWords);
    for (const v of [this.#v1, this.#v2, this.#v3]) {
      v[voiceFields.accumulator] = 0x555555;
      v[voiceFields.triangleSawLatch] = 0x555;
      v[voiceFields.envelope] = 0xaa;
    }
    this.#s[fields.potX] = 0xff;
    this.#s[fields.potY] = 0xff;
    this.reset();
  }

  /** The /RES pin: counters keep their value. */
  reset(): void {
    for (const v of [this.#v1, this.#v2, this.#v3]) {
      resetOscillator(v);
      resetEnvelope(v);
    }
    this.#s[BUS_VALUE] = 0;
    this.#s[BUS_FADE] = 0;
    this.#s.fill(0, fields.registers, fields.registers + 32);
  }

  /** Nothing is cached outside the state. */
  restored(): void {}

  /** One cycle. */
  tick(): void {
    clockEnvelope(this.#v1);
    clockEnvelope(this.#v2);
    clockEnvelope(this.#v3);
    this.#clockOscillators();
    this.#ageBus(1);
  }

  /** The same as this many ticks. */
  catchUp(cycles: number): void {
    catchUpEnvelope(this.#v1, cycles);
    catchUpEnvelope(this.#v2, cycles);
    catchUpEnvelope(this.#v3, cycles);
    this.#ageBus(cycles);
    this.#runOscillators(cycles, NOBODY);
  }

  /**
   * The same for up to TRACE_CYCLES, leaving what each puts on the DACs in trace-space.ts. The answer has a bit for each voice
   * whose envelope was open; nothing is said of the waves of the others.
   */
  trace(cycles: number): number {
    const heard =
      (traceEnvelope(this.#v1, cycles, 0) ? 1 : 0) |
      (traceEnvelope(this.#v2, cycles, TRACE_CYCLES) ? 2 : 0) |
      (traceEnvelope(this.#v3, cycles, 2 * TRACE_CYCLES) ? 4 : 0);
    this.#ageBus(cycles);
    this.#runOscillators(cycles, heard);
    return heard;
  }

  read(register: number): number {
    const s = this.#s;
    const value = this.peek(register);
    const index = register & 31;
    if (index >= 0x19 && index <= 0x1c) {
      s[BUS_VALUE] = value;
      s[BUS_FADE] = this.#busFadeCycles;
    }
    return value;
  }

  peek(register: number): number {
    switch (register & 31) {
      case 0x19:
        return this.#s[fields.potX];
      case 0x1a:
        return this.#s[fields.potY];
      case 0x1b:
        return this.#v3[voiceFields.osc] >> 4;
      case 0x1c:
        return this.#v3[voiceFields.env];
      default:
        return this.#s[BUS_VALUE];
    }
  }

  write(register: number, value: number): void {
    this.#s[BUS_VALUE] = value;
    this.#s[BUS_FADE] = this.#busFadeCycles;
    this.poke(register, value);
  }

  /** Sets a register and leaves the data bus alone. */
  poke(register: number, value: number): void {
    const index = register & 31;
    this.#s[fields.registers + index] = value;
    if (index > 20) return;
    const v = index < 7 ? this.#v1 : index < 14 ? this.#v2 : this.#v3;
    switch (index % 7) {
      case 0:
        v[FREQUENCY] = (v[FREQUENCY] & 0xff00) | value;
        break;
      case 1:
        v[FREQUENCY] = (v[FREQUENCY] & 0xff) | (value << 8);
        break;
      case 2:
        v[PULSE_WIDTH] = (v[PULSE_WIDTH] & 0xf00) | value;
        break;
      case 3:
        v[PULSE_WIDTH] = (v[PULSE_WIDTH] & 0xff) | ((value & 15) << 8);
        break;
      case 4:
        controlOscillator(v, value, this.#model);
        gateEnvelope(v, value & 1);
        break;
      case 5:
        writeAttackDecay(v, value);
        break;
      default:
        writeSustainRelease(v, value);
    }
  }

  /** `heard`: the voices to trace, or NOBODY. */
  #runOscillators(cycles: number, heard: number): void {
    const v1 = this.#v1;
    const v2 = this.#v2;
    const v3 = this.#v3;
    let done = 0;
    while (done < cycles) {
      // The last cycles are done one by one: they leave outputs and delays as they must be.
      const free = Math.min(cycles - done - 3, this.#freeCycles());
      if (free > 3) {
        if (heard > 0) this.#traceFreely(free, heard, done);
        skipOscillator(v1, free);
        skipOscillator(v2, free);
        skipOscillator(v3, free);
        done += free;
      }
      this.#clockOscillators();
      if (heard > 0) {
        tracedWaves[done] = v1[WAVE_OUTPUT];
        tracedWaves[TRACE_CYCLES + done] = v2[WAVE_OUTPUT];
        tracedWaves[2 * TRACE_CYCLES + done] = v3[WAVE_OUTPUT];
      }
      done++;
    }
  }

  #freeCycles(): number {
    const free = freeCycles(this.#v1, this.#v3, this.#model);
    if (free === 0) return 0;
    return Math.min(free, freeCycles(this.#v2, this.#v1, this.#model), freeCycles(this.#v3, this.#v2, this.#model));
  }

  #traceFreely(cycles: number, heard: number, start: number): void {
    const model = this.#model;
    if ((heard & 1) !== 0) traceOscillator(this.#v1, this.#v3, cycles, model, start);
    if ((heard & 2) !== 0) traceOscillator(this.#v2, this.#v1, cycles, model, TRACE_CYCLES + start);
    if ((heard & 4) !== 0) traceOscillator(this.#v3, this.#v2, cycles, model, 2 * TRACE_CYCLES + start);
  }

  #clockOscillators(): void {
    const v1 = this.#v1;
    const v2 = this.#v2;
    const v3 = this.#v3;
    const model = this.#model;
    clockOscillator(v1, model);
    clockOscillator(v2, model);
    clockOscillator(v3, model);
    synchronize(v1, v3, v2);
    synchronize(v2, v1, v3);
    synchronize(v3, v2, v1);
    outputOscillator(v1, v3, model);
    outputOscillator(v2, v1, model);
    outputOscillator(v3, v2, model);
  }

  #ageBus(cycles: number): void {
    const left = this.#s[BUS_FADE];
    if (left === 0) return;
    this.#s[BUS_FADE] = Math.max(0, left - cycles);
    if (left <= cycles) this.#s[BUS_VALUE] = 0;
  }
}
