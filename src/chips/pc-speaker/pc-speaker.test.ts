import { expect, it } from 'vitest';
import { stateWords as pitWords } from '../i8254/fields.ts';
import { I8254 } from '../i8254/i8254.ts';
import { stateWords } from './fields.ts';
import { PcSpeaker } from './pc-speaker.ts';

const IPS = 4_000_000;

function speaker() {
  const clock = { now: 0 };
  const samples: number[] = [];
  const time = { now: () => clock.now, instructionsPerSecond: IPS };
  const pit = new I8254(new Int32Array(pitWords), { ...time, out0() {} });
  const chip = new PcSpeaker(new Int32Array(stateWords), {
    ...time,
    sink: {
      active: true,
      add: (index, value) => {
        samples[index] = value;
      },
    },
    gate2: (level) => pit.setGate(2, level),
    out2: () => pit.output(2),
    timerTicks: (count) => pit.ticksAt(count),
    highTicks2: (from, to) => pit.highTicks2(from, to),
  });
  pit.powerOn();
  chip.powerOn();
  return { pit, chip, clock, samples };
}

it('plays 1000 Hz as a square wave, and only while it is on', () => {
  const { pit, chip, clock, samples } = speaker();
  pit.write(3, 0xb6);
  pit.write(2, 1193 & 0xff);
  pit.write(2, 1193 >> 8);
  chip.write(3);
  clock.now = IPS;
  chip.write(0);
  expect(samples.length).toBe(44_100);
  let rises = 0;
  for (let i = 1; i < samples.length; i++) if ((samples[i] as number) > 0 && (samples[i - 1] as number) <= 0) rises++;
  expect(rises).toBeGreaterThan(995);
  expect(rises).toBeLessThan(1005);
  expect(Math.abs(samples.reduce((sum, value) => sum + value, 0) / samples.length)).toBeLessThan(0.01);
  clock.now = IPS * 2;
  chip.catchUp(clock.now);
  expect(samples.length).toBe(44_100);
});

it('shows its port: gate, data, OUT 2 and the refresh toggle', () => {
  const { pit, chip, clock } = speaker();
  pit.write(3, 0xb0);
  expect(chip.read() & 0x2f).toBe(0);
  pit.write(2, 10);
  pit.write(2, 0);
  chip.write(1);
  clock.now = 100;
  expect(chip.read() & 0x21).toBe(0x21);
  const seen = new Set<number>();
  for (let i = 0; i < 400; i++) {
    clock.now += 10;
    seen.add(chip.read() & 0x10);
  }
  expect(seen).toEqual(new Set([0, 0x10]));
});

it('hears pulses to the tick, wherever in a sample they begin', () => {
  const { pit, chip, clock, samples } = speaker();
  pit.write(3, 0x90);
  chip.write(3);
  // A pulse every 75 ticks, low for 60 of them and the one in which the count is loaded.
  const period = (75 * IPS) / 1_193_182;
  for (let pulse = 1; pulse < 4000; pulse++) {
    clock.now = Math.ceil(pulse * period);
    chip.catchUp(clock.now);
    pit.write(2, 60);
  }
  const shares = samples.slice(10, -10).map((value) => value / 0.25);
  const mean = shares.reduce((sum, value) => sum + value, 0) / shares.length;
  expect((mean + 1) / 2).toBeCloseTo(14 / 75, 2);
});

it('adds nothing when it is asked about what was', () => {
  const { pit, chip, clock, samples } = speaker();
  pit.write(3, 0xb6);
  pit.write(2, 0);
  pit.write(2, 4);
  chip.write(3);
  clock.now = IPS;
  chip.catchUp(clock.now);
  const heard = samples.splice(0);
  chip.catchUp(IPS / 2);
  chip.catchUp(IPS);
  expect([heard.length, samples.length]).toEqual([44_100, 0]);
});
