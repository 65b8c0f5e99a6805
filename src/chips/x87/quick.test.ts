import { expect, test } from 'vitest';
import { quick } from './quick.ts';
import { makeChip, randomFrom, randomReal } from './x87-testing.ts';

/** Control words that mask everything. */
const precisions = [0x37f, 0x27f, 0x07f];

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
    chip.control = random(4) === 0 ? random(0x1000) : (precisions[random(3)] ?? 0);
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

type State = Parameters<typeof quick.add>[0];

/** Each with the opcode of the chip's own, whose operand is the format's. */
const withMemory = [
  ['addOperand', 0],
  ['multiplyOperand', 1],
  ['subtractOperand', 4],
  ['subtractFromOperand', 5],
  ['divideByOperand', 6],
  ['divideOperand', 7],
  ['compare', 2],
] as const;
const formats = [
  ['single', quick.takeSingle, 0],
  ['double', quick.takeDouble, 4],
  ['integer', quick.takeInteger, 2],
] as const;
type Format = (typeof formats)[number][0];

/** Words of memory: numbers near one, zeros, and anything. */
function randomWords(random: (below: number) => number, format: Format): readonly [low: number, high: number] {
  const word = () => random(0x10000) | (random(0x10000) << 16);
  const shape = random(10);
  if (shape === 0) return [0, random(2) << 31];
  if (shape === 1) return [word(), word()];
  if (format === 'integer') return [random(3) === 0 ? random(100) - 50 : word(), 0];
  const view = new DataView(new ArrayBuffer(8));
  const value = (random(0x10000) - 0x8000) / (1 + random(200));
  if (format === 'single') view.setFloat32(0, value, true);
  else view.setFloat64(0, value * (1 + random(0x10000) / 3), true);
  return [view.getInt32(0, true), view.getInt32(4, true)];
}

/** Does something quickly and as the chip does it: the states must be the same, or nothing was done. */
function bothWays(seed: number, act: (made: ReturnType<typeof makeChip>, random: (below: number) => number) => Trial) {
  const random = randomFrom(seed);
  const made = makeChip();
  const { chip, state, fill } = made;
  const wrong: string[] = [];
  let done = 0;
  const rounds = 6000;
  for (let round = 0; round < rounds; round += 1) {
    fill(...Array.from({ length: random(8) === 0 ? random(9) : 2 }, () => randomReal(random)));
    chip.control = random(3) === 0 ? random(0x1000) : (precisions[random(3)] ?? 0);
    chip.status |= random(4) === 0 ? 0x200 : 0;
    const saved = state.slice();
    const { what, quickly, slowly } = act(made, random);
    const isDone = quickly();
    const after = `${isDone} ${state} ${isDone ? quick.stored : ''}`;
    state.set(saved);
    if (isDone) slowly();
    if (after !== `${isDone} ${state} ${isDone ? quick.stored : ''}`) wrong.push(what);
    if (isDone) done += 1;
  }
  expect(wrong).toEqual([]);
  expect(done / rounds).toBeGreaterThan(0.3);
}

interface Trial {
  readonly what: string;
  quickly(): boolean;
  slowly(): void;
}

test.for(formats.flatMap((format) => withMemory.map((operation) => [...operation, ...format] as const)))(
  '%s, %i, %s: with memory to the bit, too',
  ([name, group, format, take, esc]) => {
    bothWays(group * 8 + esc, ({ chip, state }, random) => {
      const [low, high] = randomWords(random, format);
      return {
        what: `${[low, high]}`,
        quickly: () => take(low, high) && quick[name](state as State),
        slowly: () => {
          chip.operand.set([low, high]);
          chip.access((esc << 8) | (group << 3));
        },
      };
    });
  },
);

test.for(formats)('a %s is loaded to the bit', ([format, take, esc]) => {
  bothWays(esc + 100, ({ chip, state }, random) => {
    const [low, high] = randomWords(random, format);
    return {
      what: `${[low, high]}`,
      quickly: () => take(low, high) && quick.load(state as State),
      slowly: () => {
        chip.operand.set([low, high]);
        chip.access((esc + 1) << 8);
      },
    };
  });
});

test.for([formats[0], formats[1]])('a %s is stored to the bit', ([format, , esc]) => {
  bothWays(esc + 200, ({ chip, state }) => ({
    what: `${state}`,
    quickly: () => quick.store(state as State, format === 'double'),
    slowly: () => {
      chip.operand.set(quick.stored);
      const words = quick.stored.slice();
      chip.access(((esc + 1) << 8) | (2 << 3));
      quick.stored.set(format === 'double' ? chip.operand.subarray(0, 2) : [chip.operand[0] ?? 0, words[1] ?? 0]);
    },
  }));
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
  for (const control of [0x35f, 0x77f]) {
    chip.control = control;
    expect(add()).toBe(false);
  }
});
