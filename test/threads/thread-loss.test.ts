import type { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import type { Viewer, WatchedPicture } from '../../src/api/watch.ts';
import { builtInKinds } from '../../src/machines/index.ts';
import { ToolBench } from '../support/tool-bench.ts';

const workers: Worker[] = [];
const bench = new ToolBench(builtInKinds, { threads: 2, worker: (worker) => workers.push(worker) });
const { host } = bench;
const person = { client: 'a person', role: 'own' as const, person: 'somebody' };
afterAll(() => bench.close());

async function call(tool: string, args: Record<string, unknown>): Promise<string> {
  const signal = new AbortController().signal;
  const outcome = await host.call(tool, args, { client: 'test', role: 'own', signal, progress: () => {} });
  if (outcome.type === 'answer') return outcome.answer.text;
  return outcome.type === 'error' ? `${outcome.error.type} ${outcome.error.message}` : outcome.question;
}

test('a thread that dies takes its machines along and no others, and their calls say so', async () => {
  await call('machine_start', { kind: 'c64', name: 'left' });
  await call('machine_start', { kind: 'c64', name: 'right' });
  expect(workers.length).toBe(2);
  const running = call('run', { machine: 'left', frames: 100_000_000 });
  await expect.poll(() => call('machine_list', {}), { timeout: 60_000 }).toContain('busy with run');
  await workers[0]?.terminate();
  expect(await running).toContain('UNAVAILABLE run was not finished: the thread of left ended');
  expect(await call('memory_read', { machine: 'left', address: '$0400', length: 1 })).toContain('left is gone');
  expect(await call('memory_read', { machine: 'right', address: '$0400', length: 1 })).toContain('$0400  20');
  expect(await call('machine_list', {})).not.toContain('left');
  expect(await call('events_read', { types: ['machine_stopped'] })).toContain('left machine_stopped: its thread ended');
  expect(await call('machine_start', { kind: 'c64', name: 'left' })).toContain('left PAUSED');
  expect(workers.length).toBe(3);
}, 180_000);

test('a name that was being taken when its thread died is free again', async () => {
  await call('machine_start', { kind: 'c64', name: 'base' });
  const starting = call('machine_start', { kind: 'dos', name: 'half' });
  await expect.poll(() => call('machine_start', { kind: 'nonsense', name: 'half' })).toContain('UNKNOWN_KIND');
  await Promise.all(workers.map((worker) => worker.terminate()));
  expect(await starting).toMatch(/UNAVAILABLE|half/);
  expect(await call('machine_list', {})).toContain('No machine is running');
  expect(await call('machine_start', { kind: 'c64', name: 'half' })).toContain('half PAUSED');
}, 180_000);

test('pictures come through shared memory, as they are, and with them how the machine is now', async () => {
  await call('machine_start', { kind: 'c64', name: 'seen' });
  const pictures: WatchedPicture[] = [];
  const nothing = () => {};
  const viewer: Viewer = {
    isReady: () => true,
    isLooking: () => true,
    picture: (picture) => pictures.push(picture),
    ...{ sound: nothing, terminal: nothing, input: nothing, typing: nothing, trouble: nothing },
  };
  const watch = host.watch('seen', undefined, person, viewer);
  await watch?.act({ type: 'control', action: 'run' });
  await expect.poll(() => pictures.length, { timeout: 60_000 }).toBeGreaterThan(3);
  const [{ width, height, pixels, palette } = { width: 0, height: 0, pixels: [], palette: [] }] = pictures;
  expect(pixels.length).toBe(width * height);
  expect(palette.length).toBeGreaterThan(0);
  // The light blue of the border and the blue inside it.
  expect(new Set(pixels).size).toBeGreaterThan(1);
  const cycle = () =>
    host
      .machines()
      .find(({ handle }) => handle === 'seen')
      ?.watched.line.match(/cycle [\d,]+/)?.[0];
  const before = cycle();
  expect(before).toBeDefined();
  watch?.refresh();
  await expect.poll(cycle, { timeout: 60_000 }).not.toBe(before);
  await watch?.act({ type: 'control', action: 'pause' });
  watch?.close();
}, 180_000);

test('calls that are under way when the server ends are answered then, and nothing more is started', async () => {
  await call('machine_start', { kind: 'c64', name: 'first' });
  const starting = call('machine_start', { kind: 'dos', name: 'last' });
  // Messages keep their order: the start has begun where this is answered.
  await call('machine_list', {});
  await bench.threads?.close();
  expect(await starting).not.toContain('was not answered');
  expect(await call('machine_start', { kind: 'c64', name: 'more' })).toContain(
    'UNAVAILABLE The server is shutting down',
  );
}, 180_000);
