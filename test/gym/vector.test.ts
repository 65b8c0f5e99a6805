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

const lostIn = ({ flags }: Vector['last']) => [...flags.keys()].filter((index) => flags[index] === 6);

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

test('the first picture of an episode is there, and the same for the first machine and for copies of it', async () => {
  const settings = { count: 2, idle: 0, observe: { pixels: {} } };
  const [local, threaded] = [await vectorOf(settings), await vectorOf({ ...settings, threads: 1 })];
  await local.reset(1);
  await threaded.reset(1);
  const [first, copy] = [observationOf(local, 0), observationOf(local, 1)];
  expect(new Set(first).size).toBeGreaterThan(1);
  expect(copy.equals(first)).toBe(true);
  expect(observationOf(threaded, 0).equals(first)).toBe(true);
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

test('with a list of seeds each lives as the only one with its seed does, whatever its number', async () => {
  const lives = async (seeds: number[], threads: number, which?: readonly number[]) => {
    const vector = await vectorOf({ count: seeds.length, threads, sticky: 0.5 });
    await vector.reset(which ? 1 : seeds);
    if (which)
      await vector.reset(
        which.map((index) => seeds[index]),
        which,
      );
    for (let round = 0; round < 5; round += 1) await vector.step(seeds.map(() => round % 3));
    return seeds.map((_, index) => observationOf(vector, index).toString('hex'));
  };
  const [four = ''] = await lives([4], 0);
  const [nine = ''] = await lives([9], 0);
  expect(four).not.toBe(nine);
  expect(await lives([9, 4, 9], 0)).toEqual([nine, four, nine]);
  expect((await lives([9, 4, 9], 2, [2, 1])).slice(1)).toEqual([four, nine]);
  const vector = await vectorOf({ count: 2 });
  await expect(vector.reset([1])).rejects.toThrow('1 seeds for 2 environments');
  for (const seed of [-1, 1.5, 2 ** 32, Number.NaN]) {
    await expect(vector.reset(seed)).rejects.toThrow('is not a seed');
    await expect(vector.reset([1, seed])).rejects.toThrow('is not a seed');
  }
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
}, 180_000);

test('without autoreset a step that one of them cannot make is made by nobody, and after its reset they go on', async () => {
  for (const threads of [0, 1]) {
    const vector = await vectorOf({ count: 2, threads, limit: 2, autoreset: 'disabled' });
    await expect(vector.step([0, 0])).rejects.toThrow('The episode of environment 0 has ended');
    await vector.reset(1);
    await vector.step([2, 2]);
    await vector.reset(1, [0]);
    expect([...(await vector.step([2, 2])).flags]).toEqual([0, 2]);
    const before = observationOf(vector, 0);
    await expect(vector.step([2, 2])).rejects.toThrow('The episode of environment 1 has ended');
    expect(observationOf(vector, 0).equals(before)).toBe(true);
    await vector.reset(1, [1]);
    expect([...(await vector.step([2, 2])).flags]).toEqual([2, 0]);
  }
}, 180_000);

test('an episode that is saved at its end is at its end when it is restored', async () => {
  const vector = await vectorOf({ count: 1, limit: 2, idle: 0 });
  const first = Buffer.from((await vector.reset(1)).observations);
  await vector.step([2]);
  await vector.step([2]);
  const saved = await vector.save(0);
  await vector.step([2]);
  await vector.step([2]);
  await vector.restore(0, saved);
  const { observations, flags } = await vector.step([2]);
  expect([...flags]).toEqual([0]);
  expect(Buffer.from(observations).equals(first)).toBe(true);
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
  vector.send([2], [1]);
  expect(() => vector.send([0, 2], [1, 1])).toThrow('environment 2 is under way');
  await expect(vector.step([0, 0, 0, 0])).rejects.toThrow('environment 2 is under way');
  await expect(vector.reset(1)).rejects.toThrow('under way');
  expect(await vector.receive(1)).toEqual([2]);
  expect(() => vector.send([1, 1], [0, 0])).toThrow('environment 1 is under way');
  await expect(vector.reset(1, [4])).rejects.toThrow('no environment 4');
}, 180_000);

test('a thread that is lost truncates its environments with a reason, and the batch goes on', async () => {
  const threads: PoolThread[] = [];
  const vector = await openVector({ ...catcher, count: 4, threads: 2 }, (thread) => threads.push(thread));
  open.push(vector);
  await vector.reset(1);
  vector.send([0, 1, 2, 3], [0, 0, 0, 0]);
  await threads[1]?.kill();
  await vector.receive(4);
  const early = vector.last;
  expect([early.flags[0], early.flags[1]]).toEqual([0, 0]);
  const lostEarly = lostIn(early);
  expect(lostEarly).toEqual([...early.trouble.keys()].toSorted());
  // One that was ready before the thread died has lost its machine as well.
  const late = await vector.step([1, 1, 1, 1]);
  expect(lostIn(late)).toEqual([...late.trouble.keys()].toSorted());
  expect([...lostEarly, ...lostIn(late)].toSorted()).toEqual([2, 3]);
  expect([...(await vector.step([1, 1, 1, 1])).flags]).toEqual([0, 0, 0, 0]);
  expect(threads).toHaveLength(3);
}, 180_000);

test('environments of a lost thread can be reset and restored at once; the others of it are told of as lost', async () => {
  const threads: PoolThread[] = [];
  const vector = await openVector({ ...catcher, count: 3, threads: 1 }, (thread) => threads.push(thread));
  open.push(vector);
  await vector.reset(1);
  await vector.step([2, 2, 2]);
  const saved = await vector.save(1);
  await threads[0]?.kill();
  await vector.reset(1, [0]);
  await expect(vector.save(2)).rejects.toThrow('was lost');
  await vector.restore(1, saved);
  expect(lostIn(await vector.step([0, 0, 0]))).toEqual([2]);
  await threads[1]?.kill();
  await vector.restore(1, saved);
  expect(lostIn(await vector.step([0, 0, 0]))).toEqual([0, 2]);
}, 180_000);

test('where the next episode begins in the same step it does so for a lost environment, too', async () => {
  const threads: PoolThread[] = [];
  const options = { ...catcher, count: 1, threads: 1, idle: 0, autoreset: 'same_step' as const };
  const vector = await openVector(options, (thread) => threads.push(thread));
  open.push(vector);
  const first = Buffer.from((await vector.reset(1)).observations);
  const last = Buffer.from((await vector.step([2])).observations);
  await threads[0]?.kill();
  const { observations, finals, flags } = await vector.step([2]);
  expect([...flags]).toEqual([6]);
  expect(Buffer.from(observations).equals(first)).toBe(true);
  expect(Buffer.from(finals).equals(last)).toBe(true);
  expect([...(await vector.step([2])).flags]).toEqual([0]);
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
    'outside the directories',
  );
  const vector = await vectorOf();
  await vector.reset();
  expect(() => vector.send([0], [7])).toThrow('0 to 2');
  expect(() => vector.send([0], [])).toThrow('0 actions for 1 environment');
}, 180_000);

test('keys are held in steps of a QEMU too, which stands still between them', async () => {
  const vector = await vectorOf({
    kind: 'qemu',
    options: { arch: 'x86_64', memory: 16, network: 'none', paused: true },
    from: {},
    action: [{ keys: [] }, { keys: ['shift'] }],
    // The BIOS keeps there which shift keys are down.
    observe: { memory: [{ address: 0x417, length: 1, space: 'physical' }] },
    reward: '0',
    end: '0',
    idle: 0,
    autoreset: 'disabled',
  });
  await vector.reset(1);
  const shifts = async (action: number) => ((await vector.step([action])).observations[0] ?? 0) & 3;
  // Before the BIOS has begun nobody hears of a key that goes down.
  const again = async () => Math.max(await shifts(0), await shifts(1), await shifts(1));
  await expect.poll(again, { timeout: 60_000 }).toBeGreaterThan(0);
  await expect.poll(() => shifts(0), { timeout: 60_000 }).toBe(0);
  await vector.step([1]);
  await vector.reset(1);
  await expect.poll(() => shifts(0), { timeout: 60_000 }).toBe(0);
}, 180_000);

test('what another kind of machine has saved is refused by name', async () => {
  const saved = await (await vectorOf()).save(0);
  const other = await vectorOf({ kind: 'vic20', from: {}, reward: '0', end: '0', observe: { pixels: {} } });
  await expect(other.restore(0, saved)).rejects.toThrow('environment is of kind c64, but this one is a vic20');
}, 180_000);
