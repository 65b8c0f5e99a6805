import type { ChildProcess } from 'node:child_process';
import { Fleet } from '../test/support/fleet.ts';
import { HttpProgram } from '../test/support/http-program.ts';
import { httpClient, type McpClient } from '../test/support/mcp-client.ts';
import { simulationTable } from './fleet-simulation.ts';
import { atMost, type Bench, type Row, type Table } from './harness/bench.ts';
import { cpuSeconds, residentMb } from './harness/process-usage.ts';
import { median } from './harness/statistics.ts';

const stations = 3;
const machines = 200;
const calls = 400;
/** Until the programs are compiled: a gateway has more to compile than a server without a fleet. */
const warmUpRounds = 5;
const rounds = 5;

export const fleetBench: Bench = {
  summary: `${stations} stations and a gateway, connected by a local NATS server.`,
  async run(progress) {
    await using fleet = await Fleet.open();
    const hosts = await stationsOf(fleet, stations, '0');
    const plain = await open(fleet, hosts, '0');
    const cost = await callRows(plain, 'machines beside everything else (--threads 0)');
    progress('calls were measured');
    const spread = await spreadTable(plain.far, plain.farPids);
    await close(plain);
    await using threaded = await Fleet.open();
    const withThread = await open(threaded, await stationsOf(threaded, 1, '1'), '1');
    cost.push(...(await callRows(withThread, 'machines in a thread, with and without a fleet (--threads 1)')));
    await close(withThread);
    return [callTable(cost), spread, await simulationTable()];
  },
};

/** A server without a fleet and a gateway, each with a machine, and the processes behind them. */
interface Sides {
  readonly near: McpClient;
  readonly far: McpClient;
  readonly nearPids: readonly number[];
  readonly farPids: readonly number[];
}

function stationsOf(fleet: Fleet, count: number, threads: string): Promise<ChildProcess[]> {
  const args = ['--max-machines', '100', '--threads', threads];
  return Promise.all(Array.from({ length: count }, (_, index) => fleet.station(`h${index + 1}`, ...args)));
}

async function open(fleet: Fleet, hosts: readonly ChildProcess[], threads: string): Promise<Sides> {
  const local = await HttpProgram.start(fleet.sandbox, '--max-machines', '10', '--threads', threads);
  const gateway = await fleet.gateway();
  const [near, far] = [await httpClient(local, 'modern'), await httpClient(gateway, 'modern')];
  await start(near, 'one');
  await start(far, 'one');
  const farPids = [gateway.child.pid, fleet.serverPid, ...hosts.map(({ pid }) => pid)].map(Number);
  return { near, far, nearPids: [Number(local.child.pid)], farPids };
}

async function close({ near, far }: Sides): Promise<void> {
  await Promise.all([near.close(), far.close()]);
}

async function start(client: McpClient, name?: string): Promise<string> {
  const args = { kind: 'c64', options: { boot: false }, ...(name !== undefined && { name }) };
  const answer = await client.call('machine_start', args);
  if (answer.isError) throw new Error(answer.text);
  return /On host (\S+)\./.exec(answer.text)?.[1] ?? '';
}

async function callRows({ near, far, nearPids, farPids }: Sides, what: string): Promise<Row[]> {
  const one = async (client: McpClient, pids: readonly number[]) => {
    const used = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
    const [before, began] = [used(), performance.now()];
    for (let count = 0; count < calls; count++) {
      const { isError, text } = await client.call('memory_read', { machine: 'one', address: '$0400', length: 256 });
      if (isError) throw new Error(text);
    }
    return { cpu: ((used() - before) * 1000) / calls, wall: (performance.now() - began) / calls };
  };
  for (let round = 0; round < warmUpRounds; round++) {
    await one(near, nearPids);
    await one(far, farPids);
  }
  type Cost = Awaited<ReturnType<typeof one>>;
  const samples: { readonly near: Cost; readonly far: Cost }[] = [];
  for (let round = 0; round < rounds; round++)
    samples.push({ near: await one(near, nearPids), far: await one(far, farPids) });
  const cpu = samples.map(({ near, far }) => far.cpu / near.cpu);
  const wall = samples.map(({ near, far }) => far.wall / near.wall);
  const ms = (pick: (sample: (typeof samples)[number]) => number) => `${median(samples.map(pick)).toFixed(2)} ms`;
  return [
    {
      what: `${what}, processor time of gateway, stations and NATS server`,
      ratio: median(cpu).toFixed(2),
      measured: ms(({ far }) => far.cpu),
      reference: `${ms(({ near }) => near.cpu)} without a fleet`,
      target: atMost(median(cpu), 1.5, '≤ 1.5 × without a fleet'),
    },
    {
      what: 'the same, until the answer',
      ratio: median(wall).toFixed(2),
      measured: ms(({ far }) => far.wall),
      reference: `${ms(({ near }) => near.wall)} without a fleet`,
    },
  ];
}

function callTable(rows: readonly Row[]): Table {
  return {
    title: 'A call through the fleet: memory_read, 256 bytes',
    rows,
    notes: [
      `Medians of ${rounds} rounds of ${calls} calls after ${warmUpRounds}, one after the other, over HTTP; the client is not counted.`,
    ],
  };
}

async function spreadTable(client: McpClient, pids: readonly number[]): Promise<Table> {
  const placed = new Map<string, number>();
  const began = performance.now();
  for (let count = 0; count < machines; count++) {
    const host = await start(client);
    placed.set(host, (placed.get(host) ?? 0) + 1);
  }
  const seconds = (performance.now() - began) / 1000;
  const even = machines / stations;
  const worst = Math.max(...[...placed.values()].map((count) => Math.abs(count - even) / even));
  return {
    title: `${machines} C64s on ${stations} stations`,
    rows: [
      {
        what: 'farthest from even',
        measured: `${(100 * worst).toFixed(0)} % (${[...placed.values()].join(', ')})`,
        target: atMost(worst, 0.2, '≤ 20 %'),
      },
      { what: 'one after the other, all of them', measured: `${seconds.toFixed(1)} s` },
      {
        what: 'memory of gateway and NATS server',
        measured: pids
          .slice(0, 2)
          .map((pid) => `${residentMb(pid).toFixed(0)} MB`)
          .join(', '),
      },
    ],
    notes: ['Started one after the other with "boot":false.'],
  };
}
