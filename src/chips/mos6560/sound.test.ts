import { describe, expect, test } from 'vitest';
import { outputDoubles } from '../sample-output.ts';
import { SAMPLE_HZ } from '../sound-sink.ts';
import { Mos6560Sound, soundWords } from './sound.ts';
import { Mos6560Output } from './sound-output.ts';

const clockHz = 1_108_405;

function listening() {
  const state = new Int32Array(soundWords);
  const sound = new Mos6560Sound(state);
  sound.powerOn();
  const output = new Mos6560Output(sound, new Float64Array(outputDoubles), clockHz);
  return { state, sound, output };
}

/** A second of sound with these registers from 10 on. */
function second(...registers: readonly number[]): Int16Array {
  const { sound, output } = listening();
  for (const [index, value] of registers.entries()) sound.write(10 + index, value);
  output.catchUp(clockHz);
  return output.take();
}

const risesOf = (samples: Int16Array) =>
  samples.slice(1).filter((sample, index) => sample > 0 && (samples[index] ?? 0) <= 0).length;
const loudness = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length);

describe('tones', () => {
  test.each([
    [0, 200, clockHz / 256 / 55],
    [1, 200, clockHz / 128 / 55],
    [2, 200, clockHz / 64 / 55],
    [0, 255, clockHz / 256 / 128],
  ])('voice %i with %i has its frequency', (voice, value, hertz) => {
    const registers = [0, 0, 0, 0, 15];
    registers[voice] = value;
    const samples = second(...registers);
    expect(samples.length).toBe(SAMPLE_HZ);
    expect(Math.abs(risesOf(samples) - hertz)).toBeLessThanOrEqual(2);
  });

  test('volume and number of voices make it louder; without either there is silence', () => {
    const one = loudness(second(200, 0, 0, 0, 15));
    expect(loudness(second(200, 0, 0, 0, 7))).toBeLessThan(one);
    expect(loudness(second(200, 200, 200, 0, 15))).toBeGreaterThan(one);
    expect(loudness(second(200, 200, 200, 200, 0))).toBe(0);
    expect(loudness(second(72, 72, 72, 72, 15).slice(SAMPLE_HZ / 2))).toBeLessThan(1);
  });

  test('noise is no tone and never repeats within a second', () => {
    const samples = second(0, 0, 0, 180, 15);
    expect(loudness(samples)).toBeGreaterThan(500);
    const gaps = new Set<number>();
    let last = 0;
    samples.forEach((sample, index) => {
      if (index > 0 && sample > 0 && (samples[index - 1] ?? 0) <= 0) {
        gaps.add(index - last);
        last = index;
      }
    });
    expect(gaps.size).toBeGreaterThan(10);
  });
});

test('how it is caught up changes nothing', () => {
  const [one, other] = [listening(), listening()];
  const silent = listening();
  for (const { sound } of [one, other, silent]) {
    for (const [index, value] of [240, 225, 130, 250, 15].entries()) sound.write(10 + index, value);
  }
  one.output.catchUp(100_000);
  for (let left = 100_000, step = 1; left > 0; step = (step * 7) % 1009) {
    const cycles = Math.min(left, step);
    other.output.catchUp(cycles);
    left -= cycles;
  }
  expect(other.state).toEqual(one.state);
  const [a, b] = [one.output.take(), other.output.take()];
  expect(b.length).toBe(a.length);
  expect(Math.max(...a.map((sample, index) => Math.abs(sample - (b[index] ?? 0))))).toBeLessThanOrEqual(1);
  silent.sound.catchUp(100_000);
  expect(silent.state).toEqual(one.state);
});
