import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { AllowedFiles } from '../src/host/files/allowed-files.ts';
import { openPolicy } from '../src/host/policy/open-policy-testing.ts';
import type { HostSettings } from '../src/machine/host.ts';
import { atMost, type Table } from './harness/bench.ts';
import { built } from './harness/built.ts';
import { percentile } from './harness/statistics.ts';

const samples = 600;
const limitMs = 10;
const warmUpMs = 4000;

/** Asks at moments of its own, as a client does that knows nothing of the server's loop. */
const asker = `
const { parentPort, workerData } = require('node:worker_threads');
const times = [];
let asked, used;
const ask = () => { asked = performance.now(); used = process.cpuUsage(); parentPort.postMessage('read'); };
parentPort.on('message', () => {
  const { user, system } = process.cpuUsage(used);
  times.push({ wall: performance.now() - asked, cpu: (user + system) / 1000 });
  if (times.length === workerData.samples) { parentPort.postMessage(times); return; }
  setTimeout(ask, 3 + (times.length * 7919) % 17);
});
ask();
`;

/** How long a read takes from the moment somebody asks, while two machines run as fast as they can. */
export async function latencyTable(): Promise<Table> {
  const { Rack }: typeof import('../src/rack/rack.ts') = await built('rack/rack.js');
  const { Toolbox }: typeof import('../src/tools/toolbox.ts') = await built('tools/toolbox.js');
  const { Confirmations }: typeof import('../src/tools/confirmations.ts') = await built('tools/confirmations.js');
  const { tools }: typeof import('../src/tools/index.ts') = await built('tools/index.js');
  const { c64Kind }: typeof import('../src/machines/commodore/c64/c64-kind.ts') = await built(
    'machines/commodore/c64/c64-kind.js',
  );
  const settings: HostSettings = {
    terminal: 'auto',
    serialLinks: false,
    allowCommands: false,
    maxAnnotations: 0,
    lock: undefined,
    romFolders: ['own'],
    environment: {},
    selfCommand: [],
  };
  const services = {
    runtimeDir: '/nonexistent',
    settings,
    files: new AllowedFiles({ read: [], write: [] }),
    policy: openPolicy,
    guardProcessGroup: () => () => {},
    log: () => {},
  };
  const rack = new Rack([c64Kind], services, { machines: 4, traceBytes: 1_000_000, idleTimeoutMs: 0 });
  const toolbox = new Toolbox(tools, ['all'], rack, new Confirmations(false, () => ''), () => {});
  const caller = { client: 'bench', role: 'own' as const, signal: new AbortController().signal, progress: () => {} };
  const read = async (machine: string) => {
    await toolbox.call('memory_read', { machine, address: '$0400', length: 256 }, caller);
  };
  await rack.start('c64', { roms: 'own' }, 'still');
  const idle = await measured(() => read('still'));
  for (const name of ['one', 'two']) await rack.start('c64', { roms: 'own', clock: 'warp' }, name);
  // Until V8 has compiled what runs: it does so in the same processor time.
  await setTimeout(warmUpMs);
  const times = await measured(() => read('one'));
  await rack.close();
  const walls = times.map(({ wall }) => wall);
  const [median, p99, most] = [percentile(walls, 0.5), percentile(walls, 0.99), Math.max(...walls)];
  const work = percentile(
    times.map(({ wall, cpu }) => Math.min(wall, cpu)),
    0.99,
  );
  const quiet = percentile(
    idle.map(({ wall }) => wall),
    0.99,
  );
  return {
    title: 'Reading while two machines warp',
    rows: [
      { what: 'memory_read, 256 bytes, median', measured: `${median.toFixed(1)} ms` },
      {
        what: 'memory_read, 256 bytes, 99th percentile',
        measured: `${p99.toFixed(1)} ms`,
        reference: `${quiet.toFixed(1)} ms while nothing runs`,
        target: atMost(p99, limitMs, `≤ ${limitMs} ms`),
      },
      {
        what: 'of the wait, what can be ours, 99th percentile',
        measured: `${work.toFixed(1)} ms`,
        target: atMost(work, limitMs, `≤ ${limitMs} ms`),
      },
      { what: 'memory_read, 256 bytes, longest', measured: `${most.toFixed(1)} ms` },
    ],
    notes: [
      `${samples} calls from another thread, at moments of its own; both machines run in this process.`,
      'What can be ours is the processor time of all threads until then, and never more than the wait.',
    ],
  };
}

interface Wait {
  readonly wall: number;
  readonly cpu: number;
}

function measured(read: () => Promise<void>): Promise<Wait[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(asker, { eval: true, workerData: { samples } });
    worker.on('error', reject);
    worker.on('message', async (message: 'read' | Wait[]) => {
      if (message === 'read') {
        await read();
        worker.postMessage('done');
        return;
      }
      await worker.terminate();
      resolve(message);
    });
  });
}
