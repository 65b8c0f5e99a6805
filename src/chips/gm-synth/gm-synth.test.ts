import { expect, it } from 'vitest';
import { stateWords } from './fields.ts';
import { GmSynth } from './gm-synth.ts';

const IPS = 1_000_000;

function synth() {
  const clock = { now: 0 };
  const samples: number[] = [];
  const sink = {
    active: true,
    add(index: number, value: number) {
      samples[index] = (samples[index] ?? 0) + value;
    },
  };
  const made = new GmSynth(new Int32Array(stateWords), { now: () => clock.now, instructionsPerSecond: IPS, sink });
  made.powerOn();
  const play = (...bytes: number[]) => {
    for (const byte of bytes) made.play(byte);
  };
  const listen = (seconds = 0.1) => {
    clock.now += IPS * seconds;
    made.catchUp(clock.now);
    return samples.splice(0).map((value) => value ?? 0);
  };
  return { made, play, listen };
}

const crossings = (samples: readonly number[]) =>
  samples.filter((value, index) => index > 0 && value > 0 && (samples[index - 1] ?? 0) <= 0).length;
const peak = (samples: readonly number[]) => samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

it('plays a note at its pitch until it is let go, running status included', () => {
  const { made, play, listen } = synth();
  // A flute, then A above middle C, and the same with velocity 0.
  play(0xc0, 73, 0x90, 69, 127);
  expect(made.notes()).toEqual([{ channel: 0, note: 69, program: 73 }]);
  listen();
  expect(Math.abs(crossings(listen()) - 44)).toBeLessThanOrEqual(1);
  play(69, 0);
  expect(made.notes()).toEqual([]);
  listen(1);
  expect(peak(listen())).toBe(0);
});

it('bends, fades with volume, and holds notes by the pedal', () => {
  const { made, play, listen } = synth();
  play(0xc1, 16, 0xb1, 64, 127, 0x91, 69, 127, 0x81, 69, 0, 0xe1, 0x7f, 0x7f);
  listen();
  // Two semitones up.
  expect(Math.abs(crossings(listen()) - 49)).toBeLessThanOrEqual(5);
  const loud = peak(listen());
  play(0xb1, 7, 50);
  expect(peak(listen())).toBeCloseTo(loud / 2, 2);
  play(0xb1, 64, 0);
  expect(made.notes()).toEqual([]);
});

it('has drums on channel 10 and more notes than voices', () => {
  const { made, play, listen } = synth();
  play(0x99, 36, 127);
  expect(peak(listen())).toBeGreaterThan(0.05);
  listen(2);
  expect(peak(listen())).toBe(0);
  for (let note = 30; note < 70; note++) play(0x92, note, 100);
  expect(made.notes()).toHaveLength(24);
  play(0xb2, 120, 0);
  expect(peak(listen())).toBe(0);
});

it('adds nothing when it is asked about what was', () => {
  const { made, play, listen } = synth();
  play(0xc0, 73, 0x90, 69, 127);
  listen(1);
  made.catchUp(IPS / 2);
  made.catchUp(IPS);
  expect(listen(0).length).toBe(0);
});
