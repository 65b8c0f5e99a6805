import { expect } from 'vitest';
import { generator } from './random-c64.ts';

interface RandomMachine {
  readonly board: { snapshot(): Uint8Array; restore(snapshot: Uint8Array): void };
  runFrame(frame: number): void;
  hash(): string;
}

interface Amounts {
  readonly frames: number;
  /** So many snapshots are taken and restored, each after at most so many frames that are lost then. */
  readonly snapshots: number;
  readonly mostLost: number;
}

/** Random inputs give one machine, again and through snapshots that are restored into it or into another. */
export function expectOneMachine(
  make: (seed: number) => RandomMachine,
  { frames, snapshots, mostLost }: Amounts,
): void {
  const straight = (seed: number) => {
    const machine = make(seed);
    for (let frame = 0; frame < frames; frame++) machine.runFrame(frame);
    return machine.hash();
  };
  const expected = straight(1);
  expect(straight(1)).toBe(expected);
  expect(straight(2)).not.toBe(expected);
  const random = generator(3);
  const places = new Set(Array.from({ length: snapshots }, () => random(frames)));
  let [machine, other] = [make(1), make(1)];
  other.runFrame(77);
  for (let frame = 0; frame < frames; frame++) {
    if (places.has(frame)) {
      const snapshot = machine.board.snapshot();
      for (let lost = 1 + random(mostLost); lost > 0; lost--) machine.runFrame(random(frames));
      if (random(2) === 0) [machine, other] = [other, machine];
      machine.board.restore(snapshot);
    }
    machine.runFrame(frame);
  }
  expect(machine.hash()).toBe(expected);
}
