import { setTimeout as delay } from 'node:timers/promises';
import { atMost, type Row, type Table } from '../harness/bench.ts';
import { clockMs } from '../harness/clock.ts';
import { interleaved } from '../harness/rounds.ts';
import { median, percentile, ratio } from '../harness/statistics.ts';
import type { Worker } from '../harness/worker.ts';
import { BenchRoom, type Line } from './bench-room.ts';
import type { Panel } from './panel.ts';
import type { Watcher } from './watcher-process.ts';

const rounds = 4;
const manyMachines = 8;
const client = { everyMs: 10, durationMs: 1200 };
/** More than the interval in which a resource is announced once. */
const notification = { everyMs: 75, durationMs: 1500 };
/** Time for the last probe of a round to arrive. */
const settleMs = 100;

interface Sample {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  /** Probes that nobody saw. */
  readonly missed: number;
}

/** From a byte that a guest prints to whoever wants to know, with one machine and with eight as lively ones. */
export async function latency(): Promise<Table> {
  await using room = await BenchRoom.open();
  const onePanel = await room.panel();
  const manyPanel = await room.panel();
  const one = await room.consoles(onePanel, 1);
  const many = await room.consoles(manyPanel, manyMachines);
  const bare = [await room.socat('-b', '65536')];
  const watcher = room.watcher();
  for (const { socketOut } of [...one, ...many, ...bare]) await watcher.call('watch', socketOut);
  const oneNotes = await subscribe(onePanel, one);
  const manyNotes = await subscribe(manyPanel, many);

  const subjects = {
    client1: () => toClient(room, watcher, one),
    socat1: () => toClient(room, watcher, bare),
    client8: () => toClient(room, watcher, many),
    note1: () => toNotification(room, one, oneNotes),
    note8: () => toNotification(room, many, manyNotes),
  };
  await subjects.client8();
  await subjects.note1();
  const { client1, socat1, client8, note1, note8 } = await interleaved(rounds, subjects);
  const all = [client1, socat1, client8, note1, note8].flat();
  const missed = all.reduce((sum, sample) => sum + sample.missed, 0);
  return {
    title: 'Latency: a byte of the VM to a client (p50 / p90 / p99)',
    rows: [
      row('to a unix client, 1 machine, to `socat`', client1, socat1),
      row(`to a unix client, ${manyMachines} machines, to 1 machine`, client8, client1, 2),
      row('to the MCP notification, 1 machine', note1),
      row(`to the MCP notification, ${manyMachines} machines, to 1 machine`, note8, note1, 2),
    ],
    notes: [
      `${rounds} rounds after a warm-up. Each machine prints a line every ${client.everyMs} ms (${notification.everyMs} ms for ` +
        'notifications), so eight machines make eight times the traffic. Figures are medians of the rounds; ratios are of p50.',
      'The notification is `resources/updated` on stdio, as seen by the official client.',
      `Lines that did not arrive, or whose notification was joined with the next one: ${missed}.`,
    ],
  };
}

async function toClient(room: BenchRoom, watcher: Worker<Watcher>, lines: readonly Line[]): Promise<Sample> {
  const take = () => Promise.all(lines.map(({ socketOut }) => watcher.call('take', socketOut)));
  await take();
  const printed = await room.guests.call('probes', ports(lines), client.everyMs, client.durationMs);
  await delay(settleMs);
  const taken = await take();
  const latencies = taken.flatMap(({ latenciesMs }) => latenciesMs);
  return sampleOf(latencies, printed.flat().length - latencies.length);
}

/** When each resource was announced, by address; emptied by who reads it. */
type Announcements = Map<string, number[]>;

async function subscribe(panel: Panel, lines: readonly { readonly handle: string }[]): Promise<Announcements> {
  const announced: Announcements = new Map();
  panel.client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    announced.get(params.uri)?.push(clockMs());
  });
  for (const { handle } of lines) {
    announced.set(uriOf(handle), []);
    await panel.client.subscribeResource({ uri: uriOf(handle) });
  }
  return announced;
}

async function toNotification(
  room: BenchRoom,
  lines: readonly (Line & { readonly handle: string })[],
  announced: Announcements,
): Promise<Sample> {
  for (const times of announced.values()) times.length = 0;
  const printed = await room.guests.call('probes', ports(lines), notification.everyMs, notification.durationMs);
  await delay(settleMs);
  const latencies = lines.flatMap(({ handle }, index) => {
    const times = announced.get(uriOf(handle)) ?? [];
    return (printed[index] ?? []).map((at, turn, every) => {
      const next = every[turn + 1] ?? Number.POSITIVE_INFINITY;
      const seen = times.find((time) => time >= at && time < next);
      return seen === undefined ? undefined : seen - at;
    });
  });
  const seen = latencies.filter((each) => each !== undefined);
  return sampleOf(seen, latencies.length - seen.length);
}

function sampleOf(latencies: readonly number[], missed: number): Sample {
  const at = (share: number) => percentile(latencies, share);
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), missed };
}

function row(what: string, ours: readonly Sample[], reference?: readonly Sample[], limit?: number): Row {
  const measured = summary(ours, median);
  const best = summary(ours, (values) => Math.min(...values));
  if (!reference) return { what, measured, best };
  const quotient = ratio(p50s(ours), p50s(reference));
  return {
    what,
    ratio: quotient.toFixed(2),
    measured,
    best,
    reference: summary(reference, median),
    ...(limit !== undefined && { target: atMost(quotient, limit) }),
  };
}

function summary(samples: readonly Sample[], pick: (values: readonly number[]) => number): string {
  const parts = [p50s(samples), samples.map(({ p90 }) => p90), samples.map(({ p99 }) => p99)];
  return `${parts.map((values) => pick(values).toFixed(2)).join(' / ')} ms`;
}

const p50s = (samples: readonly Sample[]) => samples.map(({ p50 }) => p50);
const ports = (lines: readonly Line[]) => lines.map(({ guestPort }) => guestPort);
const uriOf = (handle: string) => `console://${handle}/${handle}/output`;
