import { atLeast, atMost, type Row, type Table } from '../harness/bench.ts';
import { cpuSeconds } from '../harness/process-usage.ts';
import { interleaved } from '../harness/rounds.ts';
import { median, ratio } from '../harness/statistics.ts';
import type { Worker } from '../harness/worker.ts';
import { BenchRoom, type Line } from './bench-room.ts';
import type { Watcher } from './watcher-process.ts';

const rounds = 5;
const floodBytes = 256e6;
const warmUpBytes = 64e6;

interface Sample {
  readonly mbPerSecond: number;
  readonly cpuPerGb: number;
  readonly lostBytes: number;
}

/** From a guest that prints as fast as it can to the programs that watch. */
export async function throughput(): Promise<Table> {
  await using room = await BenchRoom.open();
  const panel = await room.panel();
  const [alone, crowded] = await room.consoles(panel, 2);
  if (!alone || !crowded) throw new Error('no consoles');
  const wide = await room.socat('-b', '65536');
  const plain = await room.socat();
  const watchers = [0, 1, 2, 3].map(() => room.watcher());
  const first = watchers.slice(0, 1);
  for (const { socketOut } of [alone, wide, plain]) await watchAll(first, socketOut);
  await watchAll(watchers, crowded.socketOut);

  const flood = (line: Line, who: readonly Worker<Watcher>[]) => () => measure(room, line, who, floodBytes);
  await measure(room, alone, first, warmUpBytes);
  await measure(room, crowded, watchers, warmUpBytes);
  const samples = await interleaved(rounds, {
    alone: flood(alone, first),
    wide: flood(wide, first),
    crowded: flood(crowded, watchers),
    plain: flood(plain, first),
  });
  return { title: 'Throughput: VM (TCP) to unix clients', rows: rowsOf(samples), notes: notesOf(samples) };
}

async function watchAll(watchers: readonly Worker<Watcher>[], socketOut: string): Promise<void> {
  await Promise.all(watchers.map((watcher) => watcher.call('watch', socketOut)));
}

/** The time counts until the slowest client has everything. */
async function measure(
  room: BenchRoom,
  { guestPort, socketOut, pid }: Line,
  watchers: readonly Worker<Watcher>[],
  bytes: number,
): Promise<Sample> {
  const cpuBefore = cpuSeconds(pid);
  const floods = watchers.map((watcher) => watcher.call('flood', socketOut));
  const began = await room.guests.call('flood', guestPort, bytes);
  const got = await Promise.all(floods);
  const seconds = (Math.max(...got.map(({ endedMs }) => endedMs)) - began) / 1000;
  return {
    mbPerSecond: bytes / 1e6 / seconds,
    cpuPerGb: (cpuSeconds(pid) - cpuBefore) / (bytes / 1e9),
    lostBytes: got.reduce((sum, each) => sum + Math.max(0, bytes - each.bytes), 0),
  };
}

type Samples = Record<'alone' | 'crowded' | 'wide' | 'plain', Sample[]>;

function rowsOf({ alone, crowded, wide, plain }: Samples): Row[] {
  const toWide = ratio(speeds(alone), speeds(wide));
  const toPlain = ratio(speeds(alone), speeds(plain));
  const cpu = ratio(costs(alone), costs(wide));
  return [
    {
      what: '1 client, to `socat -b 65536`',
      ratio: toWide.toFixed(2),
      ...speed(alone),
      reference: `${mb(median(speeds(wide)))} (best ${mb(Math.max(...speeds(wide)))})`,
      target: atLeast(toWide, 0.6),
    },
    {
      what: '1 client, to plain `socat` (8 KB buffer)',
      ratio: toPlain.toFixed(2),
      ...speed(alone),
      reference: `${mb(median(speeds(plain)))} (best ${mb(Math.max(...speeds(plain)))})`,
      target: atLeast(toPlain, 0.6),
    },
    { what: '4 clients, each', ...speed(crowded), reference: 'n/a', target: fast(crowded, 50) },
    {
      what: 'CPU, 1 client, to `socat -b 65536`',
      ratio: cpu.toFixed(2),
      measured: perGb(median(costs(alone))),
      best: perGb(Math.min(...costs(alone))),
      reference: perGb(median(costs(wide))),
    },
    {
      what: 'CPU, 4 clients',
      measured: perGb(median(costs(crowded))),
      best: perGb(Math.min(...costs(crowded))),
      reference: 'n/a',
    },
    {
      what: 'bytes that clients missed',
      measured: String(lost({ alone, crowded, wide, plain })),
      target: atMost(lost({ alone, crowded, wide, plain }), 0, '0'),
    },
  ];
}

function notesOf(samples: Samples): string[] {
  return [
    `${samples.alone.length} rounds of ${floodBytes / 1e6} MB each, after a warm-up. The time runs from the first byte that the guest ` +
      'writes until the slowest client has the last one. socat serves one client.',
    'CPU is that of the bridging process alone, per GB that the guest printed.',
  ];
}

function fast(samples: readonly Sample[], limit: number) {
  return atLeast(median(speeds(samples)), limit, `≥ ${limit} MB/s`);
}

function speed(samples: readonly Sample[]): Pick<Row, 'measured' | 'best'> {
  return { measured: mb(median(speeds(samples))), best: mb(Math.max(...speeds(samples))) };
}

function lost(samples: Samples): number {
  return Object.values(samples)
    .flat()
    .reduce((sum, { lostBytes }) => sum + lostBytes, 0);
}

const speeds = (samples: readonly Sample[]) => samples.map(({ mbPerSecond }) => mbPerSecond);
const costs = (samples: readonly Sample[]) => samples.map(({ cpuPerGb }) => cpuPerGb);
const mb = (value: number) => `${value.toFixed(0)} MB/s`;
const perGb = (value: number) => `${value.toFixed(2)} s/GB`;
