import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Workshop } from './workshop.ts';

interface Toys {
  readonly [name: string]: (input: never) => unknown;
  readonly double: (value: number) => number;
  readonly hang: (value: number) => never;
  readonly fail: (value: string) => never;
  readonly grow: (value: number) => never;
  readonly rest: (ms: number) => string;
}

const never = new AbortController().signal;
let folder = '';
let entry: URL;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fp-workshop-'));
  const file = join(folder, 'worker.mjs');
  writeFileSync(
    file,
    `import { readlinkSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     const account = () => {
       try { return '/proc/' + readlinkSync('/proc/thread-self') + '/stat'; } catch {}
     };
     parentPort.postMessage({ thread: account() });
     const jobs = {
       double: (value) => value * 2,
       hang: () => { for (;;); },
       rest: (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
       fail: (text) => { throw new Error(text); },
       grow: () => { const all = []; for (;;) all.push(new Array(100_000).fill(0.5)); },
     };
     parentPort.on('message', ({ job, input }) => {
       try { parentPort.postMessage({ output: jobs[job](input) }); }
       catch (error) { parentPort.postMessage({ problem: error.message }); }
     });`,
  );
  entry = pathToFileURL(file);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('jobs are done one after the other, and what fails fails alone', async () => {
  const workshop = new Workshop<Toys>(entry);
  const results = await Promise.allSettled([
    workshop.run('double', 4, never),
    workshop.run('fail', 'broken', never),
    workshop.run('double', 5, never),
  ]);
  expect(results.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
    8,
    'Error: broken',
    10,
  ]);
});

test('a job that does not end is ended, and the next one is done', async () => {
  const workshop = new Workshop<Toys>(entry, 1000);
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  const endless = workshop.run('hang', 0, never);
  const next = workshop.run('double', 21, never);
  await expect(endless).rejects.toMatchObject({
    type: 'LIMIT_REACHED',
    message: 'This takes longer than 1 s of processor time.',
  });
  expect(await next).toBe(42);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(10);
});

test.skipIf(process.platform !== 'linux')(
  'what counts is work, not time: on a busy computer a job only waits',
  async () => {
    const workshop = new Workshop<Toys>(entry, 500);
    expect(await workshop.run('rest', 1500, never)).toBe('timed-out');
  },
);

test('a job that rests for ever is ended too', async () => {
  const workshop = new Workshop<Toys>(entry, 100);
  await expect(workshop.run('rest', 60_000, never)).rejects.toMatchObject({ type: 'LIMIT_REACHED' });
  expect(await new Workshop<Toys>(entry).run('double', 2, never)).toBe(4);
});

test('a job that nobody waits for any more ends at once, running or not', async () => {
  const workshop = new Workshop<Toys>(entry);
  const [first, second] = [new AbortController(), new AbortController()];
  const running = workshop.run('hang', 0, first.signal);
  const waiting = workshop.run('hang', 0, second.signal);
  second.abort(new Error('not wanted'));
  first.abort(new Error('enough'));
  await expect(running).rejects.toMatchObject({ type: 'CANCELLED', message: 'Not finished: enough.' });
  await expect(waiting).rejects.toMatchObject({ type: 'CANCELLED' });
  expect(await workshop.run('double', 1, never)).toBe(2);
});

test('a job that wants all memory gets its own', async () => {
  const workshop = new Workshop<Toys>(entry);
  await expect(workshop.run('grow', 0, never)).rejects.toMatchObject({
    type: 'LIMIT_REACHED',
    message: 'This takes too much memory.',
  });
  expect(await workshop.run('double', 3, never)).toBe(6);
});
