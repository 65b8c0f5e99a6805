import { describe, expect, test } from 'vitest';
import { generator } from '../../../../test/support/random-c64.ts';
import { RandomVic20 } from '../../../../test/support/random-vic20.ts';
import { fields as vic } from '../../../chips/mos6560/fields.ts';
import { boardFields, vic20Layout } from './vic20-state.ts';

const frames = 60;

/** `npm run suite:determinism -- vic20` does the same for 100,000 frames. */
test('random inputs give one machine, again and through snapshots', () => {
  const straight = (seed: number) => {
    const machine = new RandomVic20(seed);
    for (let frame = 0; frame < frames; frame++) machine.runFrame(frame);
    return machine.hash();
  };
  const expected = straight(1);
  expect(straight(1)).toBe(expected);
  expect(straight(2)).not.toBe(expected);
  const random = generator(3);
  const places = new Set(Array.from({ length: 8 }, () => random(frames)));
  let [machine, other] = [new RandomVic20(1), new RandomVic20(1)];
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

describe('leaving chips alone', () => {
  /** What only says how far ahead something was planned. */
  const plans = [
    vic20Layout.offsets.vic + vic.freeUntil * 4,
    vic20Layout.offsets.vic + vic.fetchedTo * 4,
    vic20Layout.offsets.board + boardFields.viaSpan * 4,
    vic20Layout.offsets.board + boardFields.viaLeft * 4,
  ];
  const stateOf = (machine: RandomVic20) => {
    const state = machine.board.snapshot();
    for (const at of plans) state.fill(0, at, at + 4);
    return state;
  };

  test.each(['6560', '6561'] as const)('changes nothing on a %s: state and picture of every frame', (model) => {
    const [lazy, eager] = [new RandomVic20(5, { vic: model }), new RandomVic20(5, { vic: model, eager: true })];
    for (let frame = 0; frame < 30; frame += 1) {
      lazy.runFrame(frame);
      eager.runFrame(frame);
      expect(Buffer.compare(stateOf(lazy), stateOf(eager))).toBe(0);
      expect(Buffer.compare(lazy.board.visibleFrame().pixels, eager.board.visibleFrame().pixels)).toBe(0);
    }
  });
});
