import { setTimeout } from 'node:timers/promises';
import { atLeast, atMost, type Bench, type Row, type Table } from './harness/bench.ts';
import { median, percentile } from './harness/statistics.ts';
import { openRack } from './rack-desk.ts';
import { programTable } from './rack-program.ts';
import { roomTable } from './rack-room.ts';
import { threadsTable } from './threads.ts';

const warpers = 64;
const reads = 300;
const warmUpMs = 4000;
const started = 20;

export const rackBench: Bench = {
  summary: 'Many machines in one process: what a call waits beside them, and what another machine costs.',
  run: async (progress) => {
    const starts = await startTable();
    const program = await programTable();
    progress('machines were started');
    const fair = await fairTable(progress);
    const room = await roomTable();
    progress('pasts were kept');
    return [starts, program, fair, room, await threadsTable()];
  },
};

async function startTable(): Promise<Table> {
  const { rack, call } = await openRack(2 * started + 2);
  const first = await cpuMs(() => call('machine_start', { kind: 'c64', name: 'first' }));
  await call('snapshot_save', { machine: 'first', name: 'prompt' });
  const again: number[] = [];
  const forks: number[] = [];
  for (let number = 0; number < started; number++) {
    again.push(await cpuMs(() => call('machine_start', { kind: 'c64' })));
    const into = `fork-${number}`;
    forks.push(await cpuMs(() => call('snapshot_restore', { machine: 'first', name: 'prompt', into })));
  }
  await rack.close();
  const row = (what: string, times: readonly number[]): Row => ({
    what,
    measured: `${median(times).toFixed(1)} ms`,
    best: `${Math.min(...times).toFixed(1)} ms`,
    target: atMost(median(times), 10, '≤ 10 ms'),
  });
  return {
    title: 'Another C64, processor time',
    rows: [
      { what: 'machine_start, the first, with loading the engine and a boot', measured: `${first.toFixed(0)} ms` },
      row('machine_start with the same options, from the kept template', again),
      row('snapshot_restore into a new machine', forks),
    ],
    notes: [`Medians of ${started}; processor time of the whole process, garbage collection included.`],
  };
}

async function fairTable(progress: (text: string) => void): Promise<Table> {
  const { rack, call } = await openRack(warpers + 1);
  const read = () => call('memory_read', { machine: 'still', address: '$0400', length: 256 });
  await call('machine_start', { kind: 'c64', name: 'still' });
  await waits(read);
  const alone = await waits(read);
  const one = await rate(1);
  for (let number = 0; number < warpers; number++) {
    await call('machine_start', { kind: 'c64', name: `warp-${number}`, options: { clock: 'warp' } });
  }
  await setTimeout(warmUpMs);
  progress(`${warpers} machines warp`);
  const beside = await waits(read);
  const all = await rate();
  await rack.close();
  const [quiet, busy] = [percentile(alone, 0.99), percentile(beside, 0.99)];
  return {
    title: `memory_read beside ${warpers} warping C64s`,
    rows: [
      {
        what: '99th percentile of processor time until the answer',
        ratio: (busy / quiet).toFixed(2),
        measured: `${busy.toFixed(1)} ms`,
        reference: `${quiet.toFixed(1)} ms beside none`,
        target: atMost(busy, Math.max(3 * quiet, 10), '≤ 3 × beside none, or 10 ms'),
      },
      {
        what: 'median',
        measured: `${percentile(beside, 0.5).toFixed(1)} ms`,
        reference: `${median(alone).toFixed(1)} ms`,
      },
      {
        what: 'cycles a second of processor time, all machines together',
        ratio: (all / one).toFixed(2),
        measured: `${(all / 1e6).toFixed(1)} M`,
        reference: `${(one / 1e6).toFixed(1)} M with one`,
        target: atLeast(all / one, 0.95, '≥ 0.95 of one machine alone'),
      },
    ],
    notes: [
      `${reads} calls in this process, each made in a turn of the event loop of its own; what a wait costs is measured in`,
      'processor time because the computer has other work. A slice of a machine is two milliseconds: that much every call may wait.',
    ],
  };

  /** Cycles in a second of processor time; `count` machines are started for it, else those that run are counted. */
  async function rate(count?: number): Promise<number> {
    if (count !== undefined) {
      await call('machine_start', { kind: 'c64', name: 'pace', options: { clock: 'warp' } });
      await setTimeout(warmUpMs);
    }
    const before = cycles();
    const used = process.cpuUsage();
    await setTimeout(4000);
    const { user, system } = process.cpuUsage(used);
    const passed = cycles() - before;
    if (count !== undefined) await rack.stop('pace', 'measured');
    return passed / ((user + system) / 1e6);
  }

  function cycles(): number {
    return rack.machines.reduce((sum, { machine }) => sum + Number(machine.status().now?.time ?? 0), 0);
  }
}

/** Processor time until the answer: at the wall clock others count as well. */
async function waits(read: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let count = 0; count < reads; count++) {
    times.push(await cpuMs(read));
    await setTimeout(1 + (count % 7));
  }
  return times;
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
