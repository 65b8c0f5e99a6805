import { expect, it } from 'vitest';
import { stateWords } from './fields.ts';
import { Gameport } from './gameport.ts';

function port() {
  const clock = { now: 0 };
  const chip = new Gameport(new Int32Array(stateWords), { now: () => clock.now, instructionsPerSecond: 4_000_000 });
  chip.powerOn();
  return { chip, clock };
}

it('times each axis by its position', () => {
  const { chip, clock } = port();
  chip.setStick(0, 0, 255, 0);
  expect(chip.read()).toBe(0xf0);
  chip.write();
  const lengths = [0, 0];
  for (let now = 0; now < 10_000; now++) {
    clock.now = now;
    for (const axis of [0, 1]) if ((chip.read() & (1 << axis)) !== 0) lengths[axis] = now + 1;
  }
  expect(lengths).toEqual([97, 4497]);
  expect(chip.axes).toEqual([0, 255, 0, 0]);
});

it('shows pressed buttons as zeros, and unplugged axes as endless', () => {
  const { chip, clock } = port();
  chip.setStick(1, 128, 128, 2);
  expect(chip.read()).toBe(0x70);
  chip.write();
  clock.now = 1_000_000;
  expect(chip.read()).toBe(0x73);
});
