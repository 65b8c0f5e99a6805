import { expect, test } from 'vitest';
import { outputDoubles } from '../sample-output.ts';
import { SAMPLE_HZ } from '../sound-sink.ts';
import { loudest, soundWords, TedSound } from './sound.ts';
import { TedOutput } from './sound-output.ts';

const clockHz = 1_773_447;

function soundWith(registers: readonly (readonly [number, number])[]) {
  const sound = new TedSound(new Int32Array(soundWords));
  sound.powerOn();
  for (const [register, value] of registers) sound.write(register, value);
  return sound;
}

/** How often the level changes within a second, and which levels there are. */
function heard(sound: TedSound) {
  const levels: number[] = [];
  // The count that power-on left.
  sound.catchUp(1024 * 8);
  sound.catchUp(clockHz, (level) => levels.push(level));
  return { changes: levels.filter((level, index) => level !== levels[index - 1]).length, levels: new Set(levels) };
}

test.each([
  [770, clockHz / 8 / (1023 - 770)],
  [1000, clockHz / 8 / 23],
  [0, clockHz / 8 / 1023],
])('frequency %i changes its level %f times a second', (frequency, expected) => {
  const sound = soundWith([
    [0x12, frequency >> 8],
    [0x0e, frequency & 255],
    [0x11, 0x18],
  ]);
  const { changes, levels } = heard(sound);
  expect(Math.abs(changes - expected)).toBeLessThan(3);
  expect(levels).toEqual(new Set([0, loudest / 2]));
});

test('the fastest count is silence, and volume grows no more above 8', () => {
  expect(heard(soundWith([[0x12, 3], [0x0e, 254], [0x11, 0x18]])).changes).toBeLessThan(3); // biome-ignore format: a row
  expect(soundWith([[0x11, 0xbf]]).level).toBe(soundWith([[0x11, 0xb8]]).level);
});

test('noise has no period a tone could have', () => {
  const { changes, levels } = heard(soundWith([[0x10, 3], [0x0f, 0], [0x11, 0x48]])); // biome-ignore format: a row
  expect(levels).toEqual(new Set([0, loudest / 2]));
  expect(changes).toBeLessThan((clockHz / 8 / 255) * 0.7);
  expect(changes).toBeGreaterThan((clockHz / 8 / 255) * 0.3);
});

test('as a level, both voices stand still at what the volume says', () => {
  const sound = soundWith([[0x11, 0xb4]]);
  expect(heard(sound)).toEqual({ changes: 1, levels: new Set([72]) });
});

test('in pieces it is the same as in one go', () => {
  const registers = [[0x0f, 200], [0x10, 2], [0x0e, 100], [0x11, 0x58]] as const; // biome-ignore format: a row
  const [one, two] = [new Int32Array(soundWords), new Int32Array(soundWords)];
  for (const [state, pieces] of [
    [one, [10_007]],
    [two, [1, 2, 3, 4001, 5, 5995]],
  ] as const) {
    const sound = new TedSound(state);
    sound.powerOn();
    for (const [register, value] of registers) sound.write(register, value);
    for (const piece of pieces) sound.catchUp(piece);
  }
  expect(two).toEqual(one);
});

test('comes out at 44.1 kHz, around nothing', () => {
  const sound = soundWith([[0x12, 3], [0x0e, 2], [0x11, 0x18]]); // biome-ignore format: a row
  const output = new TedOutput(sound, new Float64Array(outputDoubles), clockHz);
  output.catchUp(clockHz);
  const samples = output.take();
  expect(Math.abs(samples.length - SAMPLE_HZ)).toBeLessThan(2);
  const later = samples.subarray(SAMPLE_HZ / 2);
  const mean = later.reduce((sum, sample) => sum + sample, 0) / later.length;
  expect(Math.abs(mean)).toBeLessThan(500);
  expect(Math.max(...later)).toBeGreaterThan(4000);
  expect(output.take()).toHaveLength(0);
});
