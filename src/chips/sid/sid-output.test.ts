import { describe, expect, it } from 'vitest';
import { cutoffCurve } from './cutoff.ts';
import { dacTable } from './dac.ts';
import { fields, stateWords } from './fields.ts';
import { Sid, type SidModel } from './sid.ts';
import { outputDoubles, SAMPLE_RATE, SidOutput } from './sid-output.ts';

const CLOCK_HZ = 985_248;

function listening(model: SidModel) {
  const state = new Int32Array(stateWords);
  const analogue = new Float64Array(outputDoubles);
  const sid = new Sid(state, model);
  sid.powerOn();
  return { state, analogue, sid, output: new SidOutput(sid, state, analogue, model, CLOCK_HZ) };
}

/** Voice 1 at a frequency in Hertz, full sustain. */
function play(sid: Sid, control: number, hertz: number): void {
  const frequency = Math.round((hertz * 0x1000000) / CLOCK_HZ);
  sid.write(0, frequency & 255);
  sid.write(1, frequency >> 8);
  sid.write(3, 8);
  sid.write(6, 0xf0);
  sid.write(4, control | 1);
}

/** What a SID sounds like, worked out one cycle after the other. */
class PlainOutput {
  readonly samples: number[] = [];
  readonly #sid: Sid;
  readonly #state: Int32Array;
  readonly #wave: Float64Array;
  readonly #envelope: Float64Array;
  readonly #cutoff: Float64Array;
  readonly #isOld: boolean;
  #low = 0;
  #band = 0;
  #smooth = 0;
  #rest = 0;
  #position = 0;
  #current = 0;
  #next = 0;

  constructor(sid: Sid, state: Int32Array, model: SidModel) {
    this.#sid = sid;
    this.#state = state;
    this.#wave = dacTable(model, 12);
    this.#envelope = dacTable(model, 8);
    this.#cutoff = cutoffCurve(model);
    this.#isOld = model === '6581';
  }

  tick(): void {
    this.#sid.tick();
    const register = (index: number) => this.#state[fields.registers + index] ?? 0;
    const mode = register(0x18) >> 4;
    const isDirect = [0, 1, 2].map((voice) => (register(0x17) & (1 << voice)) === 0);
    const levels = [
      this.#level(fields.voice1WaveOutput, fields.voice1Envelope),
      this.#level(fields.voice2WaveOutput, fields.voice2Envelope),
      isDirect[2] && (mode & 8) !== 0 ? 0 : this.#level(fields.voice3WaveOutput, fields.voice3Envelope),
    ];
    const sum = (start: number, direct: boolean) =>
      levels.reduce((total, level, voice) => (isDirect[voice] === direct ? total + level : total), start);
    let mixed = sum(this.#isOld ? -1 / 18 : 0, true);
    const turn = (2 * Math.PI * (this.#cutoff[(register(0x15) & 7) | (register(0x16) << 3)] ?? 0)) / CLOCK_HZ;
    const high = this.#band * (1 / (Math.SQRT1_2 + (register(0x17) >> 4) / 15)) - this.#low - sum(0, false);
    this.#band -= turn * high;
    this.#low -= turn * this.#band;
    if (mode & 1) mixed += this.#low;
    if (mode & 2) mixed += this.#band;
    if (mode & 4) mixed += high;
    this.#smooth += (100_000 / CLOCK_HZ) * (mixed * ((register(0x18) & 15) / 15) - this.#smooth);
    this.#rest += (100 / CLOCK_HZ) * (this.#smooth - this.#rest);
    this.#resample((this.#smooth - this.#rest) * (SAMPLE_RATE / CLOCK_HZ));
  }

  #level(wave: number, envelope: number): number {
    const zero = this.#isOld ? (this.#wave[0x380] ?? 0) : 0.5;
    const height = 2 * ((this.#wave[this.#state[wave] ?? 0] ?? 0) - zero);
    return height * (this.#envelope[this.#state[envelope] ?? 0] ?? 0) + (this.#isOld ? 0.5 : 0);
  }

  #resample(share: number): void {
    this.#current += share * (1 - this.#position);
    this.#next += share * this.#position;
    this.#position += SAMPLE_RATE / CLOCK_HZ;
    if (this.#position < 1) return;
    this.#position -= 1;
    this.samples.push(Math.max(-32_768, Math.min(32_767, Math.round(this.#current * (32_767 / 3)))));
    this.#current = this.#next;
    this.#next = 0;
  }
}

/** Registers, what is written to them, and the cycles that pass then. */
const tunes: Record<string, [register: number, value: number, cycles: number][]> = {
  'nothing at all': [
    [0x18, 0x0f, 5000],
    [0x18, 0x05, 5000],
  ],
  'pulse, sawtooth and triangle, two of them filtered': [
    ...three(0x41, 0x21, 0x11),
    [0x16, 0x60, 0],
    [0x17, 0xf3, 0],
    [0x18, 0x1f, 9000],
    [0x03, 0x03, 3000],
    [0x17, 0x00, 3000],
    [0x18, 0x8f, 3000],
    [0x04, 0x40, 9000],
  ],
  'noise, ring modulation, hard sync': [
    ...three(0x81, 0x15, 0x43),
    [0x17, 0x84, 0],
    [0x18, 0x6f, 9000],
    [0x0b, 0x17, 9000],
    [0x04, 0x89, 700],
    [0x04, 0x81, 5000],
  ],
  'combined waveforms and a floating one': [
    ...three(0x51, 0x71, 0xc1),
    [0x18, 0x0f, 3000],
    [0x04, 0x01, 60_000],
    [0x12, 0x81, 3000],
  ],
};

/** Three voices with envelopes that rise fast, and a width for their pulses. */
function three(...controls: number[]): [number, number, number][] {
  return controls.flatMap((control, voice): [number, number, number][] => [
    [voice * 7, 0x25 + voice * 81, 3],
    [voice * 7 + 1, 0x61 - voice * 23, 4],
    [voice * 7 + 3, 0x08, 5],
    [voice * 7 + 5, 0x03 + voice, 6],
    [voice * 7 + 6, 0xa4, 7],
    [voice * 7 + 4, control, 900],
  ]);
}

const crossings = (samples: Int16Array) =>
  samples.reduce((count, value, i) => count + (value >= 0 && (samples[i - 1] ?? 0) < 0 ? 1 : 0), 0);
const power = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);

/** A tenth of a second of sound, after levels have settled. */
function tenth(output: SidOutput): Int16Array {
  output.catchUp(CLOCK_HZ / 16);
  output.take();
  output.catchUp(CLOCK_HZ / 10);
  return output.take();
}

describe.each(['6581', '8580'] as const)('%s', (model) => {
  it('sounds at the pitch of its frequency register', () => {
    const { sid, output } = listening(model);
    sid.write(0x18, 0x0f);
    play(sid, 0x20, 440);
    const samples = tenth(output);
    expect(samples.length).toBeGreaterThanOrEqual(SAMPLE_RATE / 10 - 1);
    expect(samples.length).toBeLessThanOrEqual(SAMPLE_RATE / 10 + 1);
    expect(Math.abs(crossings(samples) - 44)).toBeLessThanOrEqual(1);
    expect(power(samples)).toBeGreaterThan(1000);
  });

  it('is silent at volume zero', () => {
    const { sid, output } = listening(model);
    play(sid, 0x20, 440);
    expect(power(tenth(output))).toBeLessThan(30);
  });

  it('takes high tones away with the low-pass, low tones with the high-pass', () => {
    const loud = (mode: number, cutoff: number, hertz: number) => {
      const { sid, output } = listening(model);
      sid.write(0x16, cutoff);
      sid.write(0x17, 0x01);
      sid.write(0x18, mode | 0x0f);
      play(sid, 0x10, hertz);
      return power(tenth(output));
    };
    expect(loud(0x10, 0x18, 3000)).toBeLessThan(loud(0x10, 0xf0, 3000) / 4);
    expect(loud(0x40, 0xc0, 100)).toBeLessThan(loud(0x40, 0x08, 2000) / 4);
  });

  it.each(Object.entries(tunes))('sounds the same as cycle by cycle: %s', (_name, tune) => {
    const one = listening(model);
    const other = listening(model);
    const plain = new PlainOutput(other.sid, other.state, model);
    for (const [register, value, cycles] of tune) {
      one.sid.write(register, value);
      other.sid.write(register, value);
      one.output.catchUp(cycles);
      for (let i = 0; i < cycles; i++) plain.tick();
    }
    expect(one.state).toEqual(other.state);
    expect(Array.from(one.output.take())).toEqual(plain.samples);
  });

  it('leaves the digital part where the SID alone would be', () => {
    const one = listening(model);
    const other = listening(model);
    for (const { sid } of [one, other]) play(sid, 0x80, 3000);
    one.sid.catchUp(77_777);
    other.output.catchUp(77_777);
    expect(other.state).toEqual(one.state);
  });
});

it('the volume register is a DAC on the 6581 and hardly one on the 8580', () => {
  const digi = (model: SidModel) => {
    const { sid, output } = listening(model);
    output.catchUp(CLOCK_HZ / 8);
    output.take();
    for (let i = 0; i < 100; i++) {
      sid.write(0x18, i & 1 ? 15 : 0);
      output.catchUp(500);
    }
    return power(output.take());
  };
  expect(digi('6581')).toBeGreaterThan(1000);
  expect(digi('8580')).toBeLessThan(200);
});

it('goes on alike from copies of its words', () => {
  const a = listening('6581');
  a.sid.write(0x18, 0x1f);
  a.sid.write(0x17, 0xf1);
  play(a.sid, 0x40, 220);
  a.output.catchUp(50_000);
  a.output.take();
  const state = a.state.slice();
  const analogue = a.analogue.slice();
  const b = new SidOutput(new Sid(state, '6581'), state, analogue, '6581', CLOCK_HZ);
  a.output.catchUp(50_000);
  b.catchUp(50_000);
  expect(b.take()).toEqual(a.output.take());
});
