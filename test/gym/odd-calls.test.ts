import { afterEach, expect, test } from 'vitest';
import type { PoolThread } from '../../src/gym/pool-thread.ts';
import { openVector, type Vector } from '../../src/gym/vector.ts';
import type { VectorOptions } from '../../src/gym/vector-spec.ts';

const small: VectorOptions = {
  ...{ kind: 'c64', options: { roms: 'own', boot: false }, count: 3, frames: 1, sticky: 0.5, idle: 3 },
  action: [{ joystick: [] }, { joystick: ['left'] }],
  observe: { memory: [{ address: 0xd000, length: 64 }], text: { columns: 4, rows: 1 } },
  reward: 'frame',
};

const open: Vector[] = [];
async function vectorOf(threads: number, began?: (thread: PoolThread) => void): Promise<Vector> {
  const vector = await openVector({ ...small, threads }, began);
  open.push(vector);
  return vector;
}
afterEach(async () => {
  for (const vector of open.splice(0)) await vector.close();
});

test('actions, seeds and counts that are no numbers of theirs are refused, also where types do not say so', async () => {
  const vector = await vectorOf(0);
  await vector.reset(1);
  const wild = (value: unknown) => value as number[] & number;
  for (const actions of [
    [undefined, 1, 1],
    [null, 1, 1],
    ['1', 1, 1],
    [Number.NaN, 1, 1],
  ]) {
    await expect(vector.step(wild(actions))).rejects.toThrow('of environment 0: it is one of 0 to 1');
  }
  for (const seed of ['1', null, {}, Number.NaN, [Number.NaN, 1, 1]]) {
    await expect(vector.reset(wild(seed))).rejects.toThrow('is not a seed');
  }
  for (const count of [-1, 0.5, Number.NaN]) {
    await expect(vector.receive(count)).rejects.toThrow('is not a number of environments');
  }
  expect([...(await vector.step([1, 1, 1])).rewards]).toEqual([1, 1, 1]);
});

test.each([0, 1])('what is asked for before the last is done is done in order (%i threads)', async (threads) => {
  const vector = await vectorOf(threads);
  const patient: string[] = [];
  const heard = () => Buffer.from(vector.last.observations).toString('hex') + [...vector.last.rewards];
  await vector.reset(1);
  await vector.step([1, 0, 1]);
  patient.push(heard());
  await vector.reset(2);
  const reset = vector.reset(1);
  await Promise.all([reset, vector.step([1, 0, 1])]);
  expect(heard()).toBe(patient[0]);
  const [one, again, other] = await Promise.all([vector.save(0), vector.save(0), vector.save(1)]);
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});

test('what was saved is bytes of its own, and what is no saved episode is refused as that', async () => {
  const vector = await vectorOf(0);
  await vector.reset(1);
  const saved = await vector.save(0);
  const broken = saved.slice();
  broken[5] = 0;
  for (const bytes of [broken, new Uint8Array(10)]) {
    await expect(vector.restore(0, bytes)).rejects.toThrow('restore takes what save has returned');
  }
  await vector.restore(0, saved);
});

test.each([0, 1])(
  'environments that were closed are used no more, and start no thread (%i threads)',
  async (threads) => {
    const begun: PoolThread[] = [];
    const vector = await vectorOf(threads, (thread) => begun.push(thread));
    await vector.reset(1);
    await vector.close();
    await vector.close();
    const uses = [() => vector.reset(1), () => vector.step([0, 0, 0]), () => vector.save(0), () => vector.fork(0, 1)];
    for (const use of uses) await expect(use()).rejects.toThrow('these environments are closed');
    expect(begun).toHaveLength(threads);
  },
);
