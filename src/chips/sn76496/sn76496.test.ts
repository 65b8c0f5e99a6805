import { expect, it } from 'vitest';
import { stateWords } from './fields.ts';
import { Sn76496 } from './sn76496.ts';

const IPS = 1_000_000;

function chip() {
  const clock = { now: 0 };
  const samples: number[] = [];
  const sink = {
    active: true,
    add(index: number, value: number) {
      samples[index] = value;
    },
  };
  const made = new Sn76496(new Int32Array(stateWords), { now: () => clock.now, instructionsPerSecond: IPS, sink });
  made.powerOn();
  const listen = () => {
    clock.now += IPS / 10;
    made.catchUp(clock.now);
    return samples.splice(0).filter((value) => value !== undefined);
  };
  return { made, listen };
}

const crossings = (samples: readonly number[]) =>
  samples.filter((value, index) => index > 0 && value > 0 && (samples[index - 1] ?? 0) <= 0).length;

it('plays a tone of ten bits at its volume, and nothing at volume 15', () => {
  const { made, listen } = chip();
  expect(listen()).toEqual([]);
  // 254: 440.4 Hz.
  for (const byte of [0x80 | (254 & 15), 254 >> 4, 0x90]) made.write(byte);
  expect(made.hertz(0)).toBeCloseTo(440.4, 1);
  const loud = listen();
  expect(Math.abs(crossings(loud) - 44)).toBeLessThanOrEqual(1);
  expect(Math.max(...loud)).toBeCloseTo(0.15, 5);
  made.write(0x9a);
  expect(Math.max(...listen())).toBeCloseTo(0.015, 5);
  made.write(0x9f);
  expect(listen()).toEqual([]);
});

it('has white noise, and a tone of fifteen steps', () => {
  const { made, listen } = chip();
  made.write(0xf0);
  made.write(0xe4);
  const white = Array.from({ length: 10 }, () => crossings(listen())).reduce((sum, count) => sum + count);
  // A shift every 32 ticks: 6,991 in a second, half of them to the other side.
  expect(Math.abs(white - 1748)).toBeLessThan(90);
  made.write(0xe0);
  expect(Math.abs(crossings(listen()) - 699 / 15)).toBeLessThan(2);
});
