import { expect, test } from 'vitest';
import { RandomDos } from '../../../../test/support/random-dos.ts';

const frames = 600;

function run(machine: RandomDos, from: number, to: number): void {
  for (let frame = from; frame < to; frame++) machine.runFrame(frame);
}

test('the same inputs give the same machine, also when half of it is run by another one', () => {
  const straight = new RandomDos(7);
  run(straight, 0, frames);
  const first = new RandomDos(7);
  run(first, 0, frames / 2);
  const saved = first.save();
  // What is thrown away must leave no trace.
  run(first, 5000, 5050);
  const second = new RandomDos(7);
  second.restore(saved);
  run(second, frames / 2, frames);
  first.restore(saved);
  run(first, frames / 2, frames);
  expect([second.hash(), first.hash()]).toEqual([straight.hash(), straight.hash()]);
});
