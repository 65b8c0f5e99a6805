import { expect, test } from 'vitest';
import { generator, RandomC64 } from '../../../../test/support/random-c64.ts';

const frames = 60;

/** `npm run suite:determinism` does the same for 100,000 frames. */
test('random inputs give one machine, again and through snapshots', () => {
  const straight = (seed: number) => {
    const machine = new RandomC64(seed);
    for (let frame = 0; frame < frames; frame++) machine.runFrame(frame);
    return machine.hash();
  };
  const expected = straight(1);
  expect(straight(1)).toBe(expected);
  expect(straight(2)).not.toBe(expected);
  const random = generator(3);
  const places = new Set(Array.from({ length: 8 }, () => random(frames)));
  let [machine, other] = [new RandomC64(1), new RandomC64(1)];
  other.runFrame(77);
  for (let frame = 0; frame < frames; frame++) {
    if (places.has(frame)) {
      const snapshot = machine.board.snapshot();
      for (let lost = 1 + random(5); lost > 0; lost--) machine.runFrame(random(frames));
      if (random(2) === 0) [machine, other] = [other, machine];
      machine.board.restore(snapshot);
    }
    machine.runFrame(frame);
  }
  expect(machine.hash()).toBe(expected);
});
