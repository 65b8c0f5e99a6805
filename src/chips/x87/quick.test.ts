import { expect, test } from 'vitest';
import { quick } from './quick.ts';
import { makeChip, randomFrom, randomReal } from './x87-testing.ts';

const operations = [
  ['add', 0x0c1, quick.add],
  ['multiply', 0x0c9, quick.multiply],
  ['subtract', 0x0e1, quick.subtract],
  ['divide', 0x0f1, quick.divide],
] as const;

test.for(operations)('%s: what is done quickly is what the chip does, to the bit', ([, opcode, operation]) => {
  const random = randomFrom(opcode);
  const { chip, state, fill } = makeChip();
  const wrong: string[] = [];
  let done = 0;
  const rounds = 20_000;
  for (let round = 0; round < rounds; round += 1) {
    const first = randomReal(random);
    // Numbers that are nearly equal, too.
    const second = random(8) === 0 ? first ^ BigInt(random(16)) ^ (BigInt(random(2)) << 79n) : randomReal(random);
    fill(first, second);
    chip.control = random(4) === 0 ? random(0x1000) : 0x37f;
    chip.status = random(4) === 0 ? 0x200 : 0;
    const before = `${state}`;
    const saved = state.slice();
    const isDone = operation(state as Parameters<typeof operation>[0], 0, 1, 0);
    const after = `${state}`;
    state.set(saved);
    if (isDone) chip.execute(opcode);
    if (after !== (isDone ? `${state}` : before)) wrong.push(`${first.toString(16)} and ${second.toString(16)}`);
    if (isDone) done += 1;
  }
  expect(wrong).toEqual([]);
  expect(done / rounds).toBeGreaterThan(0.3);
});

test('what is not usual is left to the chip', () => {
  const { chip, state, fill } = makeChip();
  const add = () => quick.add(state as Parameters<typeof quick.add>[0], 0, 1, 0);
  const one = 0x3fff_8000_0000_0000_0000n;
  fill(one, one);
  expect(add()).toBe(true);
  fill(one);
  expect(add()).toBe(false);
  fill(one, one);
  for (const control of [0x35f, 0x27f, 0x77f]) {
    chip.control = control;
    expect(add()).toBe(false);
  }
});
