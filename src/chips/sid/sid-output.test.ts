import { describe, expect, it } from 'vitest';
import { stateWords } from './fields.ts';
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
