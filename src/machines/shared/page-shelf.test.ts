import { expect, test } from 'vitest';
import { PageShelf } from './page-shelf.ts';

const length = 10_000;

/** Bytes that are the same for the same seed. */
function noise(seed: number): Uint8Array {
  let state = seed * 2_654_435_761 + 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

function read(shelf: PageShelf, state: ReturnType<PageShelf['put']>): Uint8Array {
  const bytes = new Uint8Array(length).fill(0xee);
  shelf.read(state, bytes);
  return bytes;
}

interface Put {
  readonly kept: ReturnType<PageShelf['put']>;
  readonly bytes: Uint8Array;
}

function isSame(shelf: PageShelf, { kept, bytes }: Put): boolean {
  return Buffer.compare(read(shelf, kept), bytes) === 0;
}

test('gives every state back as it was, in whatever order states are put and dropped', () => {
  const shelf = new PageShelf(512);
  const states: Put[] = [];
  let bytes = noise(1);
  for (let round = 0; round < 400; round += 1) {
    bytes = bytes.slice();
    const at = (round * 7919) % length;
    bytes.fill(round, at, at + 100);
    states.push({ kept: shelf.put(bytes, states.at(-1)?.kept), bytes });
    if (round % 3 === 2) {
      const [gone] = states.splice((round * 31) % states.length, 1);
      if (gone) shelf.drop(gone.kept);
    }
    if (round % 40 === 0) expect(states.filter((each) => !isSame(shelf, each))).toEqual([]);
  }
  expect(states.length).toBeGreaterThan(200);
  expect(states.filter((each) => !isSame(shelf, each))).toEqual([]);
  for (const { kept } of states) shelf.drop(kept);
  expect(shelf.bytes).toBe(0);
});

test('keeps what two states have in common once, and zeros not at all', () => {
  const shelf = new PageShelf(1024);
  const first = shelf.put(noise(2), undefined);
  const whole = shelf.bytes;
  const changed = noise(2);
  changed[5000] = (changed[5000] ?? 0) ^ 1;
  const second = shelf.put(changed, first);
  expect(shelf.bytes - whole).toBe(1024);
  shelf.drop(first);
  expect(shelf.bytes).toBe(whole);
  expect(read(shelf, second)).toEqual(changed);
  const empty = shelf.put(new Uint8Array(length), second);
  expect(shelf.bytes).toBe(whole);
  expect(read(shelf, empty)).toEqual(new Uint8Array(length));
});

test('a state of another length shares nothing', () => {
  const shelf = new PageShelf(512);
  const first = shelf.put(noise(3), undefined);
  const short = shelf.put(noise(3).subarray(0, 700), first);
  const bytes = new Uint8Array(700);
  shelf.read(short, bytes);
  expect(bytes).toEqual(noise(3).slice(0, 700));
});

test('a copy of a shelf has the same states, and neither knows what becomes of the other', () => {
  const shelf = new PageShelf(512);
  const bytes = noise(1);
  const kept = shelf.put(bytes, undefined);
  const copy = shelf.copy();
  expect(copy.bytes).toBe(shelf.bytes);
  shelf.drop(kept);
  const others = [2, 3, 4].map((seed) => ({ kept: shelf.put(noise(seed), undefined), bytes: noise(seed) }));
  expect(isSame(copy, { kept, bytes })).toBe(true);
  const changed = bytes.slice().fill(7, 1000, 1100);
  const next = copy.put(changed, kept);
  expect([
    isSame(copy, { kept, bytes }),
    isSame(copy, { kept: next, bytes: changed }),
    ...others.map((other) => isSame(shelf, other)),
  ]).toEqual([true, true, true, true, true]);
  copy.drop(kept);
  copy.drop(next);
  expect(copy.bytes).toBe(0);
});
