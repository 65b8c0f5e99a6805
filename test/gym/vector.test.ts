import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { PoolThread } from '../../src/gym/pool-thread.ts';
import { openVector, type Vector } from '../../src/gym/vector.ts';
import type { VectorOptions } from '../../src/gym/vector-spec.ts';
import { image } from '../qemu/guests/riscv64.ts';

const source = readFileSync(new URL('../../examples/gym/catcher.asm', import.meta.url), 'utf8');
const catcher: VectorOptions = {
  kind: 'c64',
  options: { roms: 'own' },
  from: { source, frames: 10 },
  action: [{ joystick: [] }, { joystick: ['left'] }, { joystick: ['right'] }],
  observe: { pixels: {}, memory: [{ address: 0xd000, length: 4 }] },
  reward: 'bcd($02, 2)',
  end: '[$04] >= 5',
  seed: 3,
  idle: 20,
};

const open: Vector[] = [];
async function vectorOf(options: Partial<VectorOptions> = {}): Promise<Vector> {
  const vector = await openVector({ ...catcher, ...options });
  open.push(vector);
  return vector;
}
afterEach(async () => {
  for (const vector of open.splice(0)) await vector.close();
});

const chosen = (round: number, count: number) => Uint8Array.from({ length: count }, (_, index) => (round + index) % 3);

/** Of everything that is heard in so many steps. */
async function played(vector: Vector, rounds: number): Promise<string> {
  const hash = createHash('sha256');
  const hear = ({ observations, rewards, flags }: Vector['last']) => {
    for (const each of [observations, new Uint8Array(rewards.buffer), flags]) hash.update(each);
  };
  hear(await vector.reset(3));
  for (let round = 0; round < rounds; round += 1) hear(await vector.step(chosen(round, vector.spec.count)));
  return hash.digest('hex');
}

const observationOf = ({ last, observationBytes }: Vector, index: number) =>
  Buffer.from(last.observations.slice(index * observationBytes, (index + 1) * observationBytes));

test('the same seed and actions give the same bytes in any number of threads, and environments differ', async () => {
  const settings = { count: 4, sticky: 0.3, limit: 9 };
  const local = await vectorOf(settings);
  const hash = await played(local, 12);
  expect(await played(local, 12)).toBe(hash);
  expect(await played(await vectorOf({ ...settings, threads: 1 }), 12)).toBe(hash);
  expect(await played(await vectorOf({ ...settings, threads: 3 }), 12)).toBe(hash);
  const all = Array.from({ length: 4 }, (_, index) => observationOf(local, index).toString('hex'));
  expect(new Set(all).size).toBeGreaterThan(1);
}, 180_000);

test('environment 2 lives the same life whether there are others or not', async () => {
  const few = await vectorOf({ count: 3 });
  const many = await vectorOf({ count: 5 });
  await few.reset(8);
  await many.reset(8);
  for (let round = 0; round < 4; round += 1) {
    await few.step([0, 0, 2]);
    await many.step([1, 1, 2, 1, 1]);
  }
  expect(observationOf(few, 2).equals(observationOf(many, 2))).toBe(true);
}, 180_000);

test('what is saved is taken up again, here and in another environment, and goes on the same way', async () => {
  const vector = await vectorOf({ count: 2, sticky: 0.5 });
  await vector.reset(1);
  await vector.step([2, 0]);
  const saved = await vector.save(0);
  const then = observationOf(vector, 0);
  const steps = async () => {
    for (let round = 0; round < 5; round += 1) await vector.step([1, 1]);
  };
  await steps();
  const after = observationOf(vector, 0);
  await vector.restore(0, saved);
  expect(observationOf(vector, 0).equals(then)).toBe(true);
  await vector.fork(0, 1);
  await steps();
  expect(observationOf(vector, 0).equals(after)).toBe(true);
  expect(observationOf(vector, 1).equals(after)).toBe(true);
}, 180_000);

test('a limit truncates; the next step, or the same one, begins another episode as asked', async () => {
  const next = await vectorOf({ count: 1, limit: 2, idle: 0 });
  const first = Buffer.from((await next.reset(1)).observations);
  await next.step([2]);
  expect([...(await next.step([2])).flags]).toEqual([2]);
  const { observations, flags } = await next.step([2]);
  expect([...flags]).toEqual([0]);
  expect(Buffer.from(observations).equals(first)).toBe(true);

  const same = await vectorOf({ count: 1, limit: 2, idle: 0, autoreset: 'same_step' });
  await same.reset(1);
  await same.step([2]);
  const ended = await same.step([2]);
  expect([...ended.flags]).toEqual([2]);
  expect(Buffer.from(ended.observations).equals(first)).toBe(true);
  expect(Buffer.from(ended.finals).equals(first)).toBe(false);

  const manual = await vectorOf({ count: 1, limit: 1, autoreset: 'disabled' });
  await manual.reset(1);
  await manual.step([0]);
  await expect(manual.step([0])).rejects.toThrow('has ended');
}, 180_000);

test('an end terminates, and the change of an expression is the reward', async () => {
  const vector = await vectorOf({ count: 1, idle: 0, frames: 60 });
  await vector.reset(1);
  const misses: number[] = [];
  let terminated = false;
  for (let round = 0; round < 30 && !terminated; round += 1) {
    const { flags } = await vector.step([0]);
    terminated = flags[0] === 1;
    misses.push(round);
  }
  expect(terminated).toBe(true);
  const counting = await vectorOf({ count: 1, idle: 0, end: '0', reward: '[$d000]' });
  await counting.reset(1);
  expect([...(await counting.step([2])).rewards]).toEqual([12]);
  expect([...(await counting.step([1])).rewards]).toEqual([-12]);
}, 180_000);

test('those that were sent are received as they get ready', async () => {
  const vector = await vectorOf({ count: 4, threads: 2 });
  await vector.reset(1);
  vector.send([3, 0, 1], [0, 1, 2]);
  const early = await vector.receive(2);
  const late = await vector.receive(1);
  expect([...early, ...late].toSorted()).toEqual([0, 1, 3]);
  await expect(vector.receive(1)).rejects.toThrow('under way');
}, 180_000);

test('a thread that is lost truncates its environments with a reason, and the batch goes on', async () => {
  const threads: PoolThread[] = [];
  const vector = await openVector({ ...catcher, count: 4, threads: 2 }, (thread) => threads.push(thread));
  open.push(vector);
  await vector.reset(1);
  vector.send([0, 1, 2, 3], [0, 0, 0, 0]);
  await threads[1]?.kill();
  await vector.receive(4);
  const { flags, trouble } = vector.last;
  expect([flags[0], flags[1]]).toEqual([0, 0]);
  expect([...trouble.keys()].every((index) => index >= 2)).toBe(true);
  const lost = [2, 3].filter((index) => flags[index] === 6);
  expect(lost).toEqual([...trouble.keys()].toSorted());
  expect([...(await vector.step([1, 1, 1, 1])).flags]).toEqual([0, 0, 0, 0]);
  expect(threads).toHaveLength(3);
}, 180_000);

test('a QEMU guest is an environment as well, in real time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fp-gym-'));
  const bios = join(folder, 'loop.bin');
  writeFileSync(bios, image);
  try {
    const vector = await openVector({
      kind: 'qemu',
      options: { arch: 'riscv64', memory: 16, bios, paused: true },
      action: [{}, {}],
      observe: { memory: [{ address: 0x8000_1000, length: 8 }] },
      reward: 'qword[0x80001000]',
      read: [folder],
    });
    open.push(vector);
    const before = Buffer.from((await vector.reset(1)).observations).readBigUInt64LE();
    // A stretch of real time in which a busy computer may not have come to it.
    await expect.poll(async () => (await vector.step([1])).rewards[0]).toBeGreaterThan(0);
    expect(Buffer.from(vector.last.observations).readBigUInt64LE()).toBeGreaterThan(before);
    expect(Buffer.from((await vector.reset(1)).observations).readBigUInt64LE()).toBe(before);
  } finally {
    for (const vector of open.splice(0)) await vector.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 180_000);

test('what is wrong is said before anything runs', async () => {
  await expect(openVector({ ...catcher, reward: '[$02' })).rejects.toThrow('] is missing here');
  await expect(openVector({ ...catcher, action: [[{ keys: ['nokey'] }, { keys: [] }]] })).rejects.toThrow('No key');
  await expect(openVector({ ...catcher, kind: 'console' })).rejects.toThrow();
  await expect(openVector({ ...catcher, from: { program: '/etc/hostname' } })).rejects.toThrow(
    'outside of the directories',
  );
  const vector = await vectorOf();
  await vector.reset();
  expect(() => vector.send([0], [7])).toThrow('0 to 2');
  expect(() => vector.send([0], [])).toThrow('0 actions for 1 environment');
}, 180_000);
