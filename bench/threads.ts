import { setTimeout } from 'node:timers/promises';
import type { McpClient } from '../test/support/mcp-client.ts';
import { serve } from '../test/support/mcp-servers.ts';
import { atLeast, type Table } from './harness/bench.ts';
import { cpuSeconds, residentMb } from './harness/process-usage.ts';

const warmUpMs = 3000;
const measuredMs = 6000;

/** Cycles of all machines together, in a second and in a second of processor time. */
interface Rate {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

/** Two machines that run as fast as they can, in two threads and in one. */
export async function threadsTable(): Promise<Table> {
  const [own, shared] = [await ratesWith(2), await ratesWith(0)];
  const wall = own.two.perSecond / own.one.perSecond;
  const efficiency = own.two.perCpuSecond / own.one.perCpuSecond;
  const million = (value: number) => `${(value / 1e6).toFixed(1)} M`;
  return {
    title: 'Two warping C64s with --threads 2, cycles together',
    rows: [
      {
        what: 'a second, against one machine alone',
        ratio: wall.toFixed(2),
        measured: million(own.two.perSecond),
        reference: million(own.one.perSecond),
        target: atLeast(wall, 1.8, '≥ 1.8 of one on two idle processors'),
      },
      {
        what: 'a second of processor time, against one machine alone',
        ratio: efficiency.toFixed(2),
        measured: million(own.two.perCpuSecond),
        reference: million(own.one.perCpuSecond),
        target: atLeast(efficiency, 0.9, '≥ 0.9: twice of that is what two idle processors give'),
      },
      {
        what: 'one machine, a second of processor time, against --threads 0',
        ratio: (own.one.perCpuSecond / shared.one.perCpuSecond).toFixed(2),
        measured: million(own.one.perCpuSecond),
        reference: million(shared.one.perCpuSecond),
      },
      {
        what: 'two machines with --threads 0, a second, against one',
        ratio: (shared.two.perSecond / shared.one.perSecond).toFixed(2),
        measured: million(shared.two.perSecond),
        reference: million(shared.one.perSecond),
      },
      {
        what: 'memory of the server with two machines, --threads 2 against 0',
        measured: `${own.megabytes} MB`,
        reference: `${shared.megabytes} MB`,
      },
    ],
    notes: ['The first row needs two processors that nobody else uses; the second does not.'],
  };
}

async function ratesWith(threads: number) {
  await using served = await serve('stdio', 'modern', ['--threads', String(threads), '--page', 'off']);
  const { client } = served;
  await client.call('machine_start', { kind: 'c64', options: { clock: 'warp' } });
  const one = await rate(client);
  await client.call('machine_start', { kind: 'c64', options: { clock: 'warp' } });
  const two = await rate(client);
  return { one, two, megabytes: Math.round(residentMb(client.pid)) };
}

async function rate(client: McpClient): Promise<Rate> {
  await setTimeout(warmUpMs);
  const [cycles, cpu, at] = [await cyclesOf(client), cpuSeconds(client.pid), performance.now()];
  await setTimeout(measuredMs);
  const passed = (await cyclesOf(client)) - cycles;
  return {
    perSecond: passed / ((performance.now() - at) / 1000),
    perCpuSecond: passed / (cpuSeconds(client.pid) - cpu),
  };
}

async function cyclesOf(client: McpClient): Promise<number> {
  const { text } = await client.call('machine_list', { format: 'json' });
  const { machines } = JSON.parse(text) as { machines: { now?: { time: number } }[] };
  return machines.reduce((sum, { now }) => sum + (now?.time ?? 0), 0);
}
