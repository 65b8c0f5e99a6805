import { setTimeout as delay } from 'node:timers/promises';
import { atLeast, atMost, type Table } from '../harness/bench.ts';
import { clockMs } from '../harness/clock.ts';
import { cpuSeconds, residentMb, wakeUps } from '../harness/process-usage.ts';
import { interleaved } from '../harness/rounds.ts';
import { median, ratio } from '../harness/statistics.ts';
import { BenchRoom, type Line } from './bench-room.ts';

const rounds = 4;
const crumbBytes = 7;
const crumbsPerSecond = 15_000;
const crumbMs = 2000;
const idleMs = 5000;
/** For what a load leaves behind: V8 tidies its memory up some seconds after the last work. */
const settleMs = 10_000;

interface Sample {
  /** Of one core. */
  readonly cpuPercent: number;
  readonly sentPerSecond: number;
  readonly readsPerSecond: number;
}

/** What the server costs when nothing happens, and when an emulated UART prints byte by byte. */
export async function load(): Promise<Table> {
  await using room = await BenchRoom.open();
  const panel = await room.panel();
  const emptyMb = residentMb(panel.pid);
  const [line] = await room.consoles(panel, 1);
  const socat = await room.socat('-b', '65536');
  if (!line) throw new Error('no console');
  const watcher = room.watcher();
  for (const { socketOut } of [line, socat]) await watcher.call('watch', socketOut);

  const crumbs =
    ({ guestPort, socketOut, pid }: Line) =>
    async (): Promise<Sample> => {
      await watcher.call('take', socketOut);
      const before = { cpu: cpuSeconds(pid), at: clockMs() };
      const sentPerSecond = await room.guests.call('crumbs', guestPort, crumbBytes, crumbsPerSecond, crumbMs);
      const seconds = (clockMs() - before.at) / 1000;
      const { reads } = await watcher.call('take', socketOut);
      const cpuPercent = ((cpuSeconds(pid) - before.cpu) / seconds) * 100;
      return { cpuPercent, sentPerSecond, readsPerSecond: reads / seconds };
    };
  const subjects = { ours: crumbs(line), socat: crumbs(socat) };
  await subjects.ours();
  const { ours, socat: theirs } = await interleaved(rounds, subjects);
  const quotient = ratio(cpu(ours), cpu(theirs));
  const sent = median(ours.map(({ sentPerSecond }) => sentPerSecond));

  await delay(settleMs);
  const idle = await measureIdle(panel.pid);
  const oneMb = residentMb(panel.pid);
  await room.consoles(panel, 7);
  const eightMb = residentMb(panel.pid);

  return {
    title: 'Load: processor time and memory of the server',
    rows: [
      {
        what: `CPU at ${crumbsPerSecond} chunks of ${crumbBytes} bytes a second, to \`socat\``,
        ratio: quotient.toFixed(2),
        measured: percent(median(cpu(ours))),
        best: percent(Math.min(...cpu(ours))),
        reference: percent(median(cpu(theirs))),
        target: atMost(median(cpu(ours)), 10, '≤ 10 % of a core'),
      },
      {
        what: 'chunks a second that were really sent',
        measured: sent.toFixed(0),
        target: atLeast(sent, crumbsPerSecond * 0.95, `≈ ${crumbsPerSecond}`),
      },
      {
        what: 'reads a second at the client',
        measured: median(ours.map(({ readsPerSecond }) => readsPerSecond)).toFixed(0),
        reference: median(theirs.map(({ readsPerSecond }) => readsPerSecond)).toFixed(0),
      },
      {
        what: 'idle CPU, 1 machine and 1 client attached',
        measured: percent(idle.cpuPercent),
        target: atMost(idle.cpuPercent, 0.5, 'about 0'),
      },
      { what: 'idle wake-ups', measured: `${idle.wakeUpsPerSecond.toFixed(1)} a second` },
      {
        what: 'resident memory, no machine / 1 after the load above / 8',
        measured: `${emptyMb.toFixed(0)} / ${oneMb.toFixed(0)} / ${eightMb.toFixed(0)} MB`,
      },
    ],
    notes: [
      `${rounds} rounds of ${crumbMs / 1000} s with one machine and one client. During a flood of crumbs the server reads the line every 3 ms ` +
        'instead of waking up for each; socat wakes up for each.',
      `Idle is one look over ${idleMs / 1000} s; the kernel counts processor time in steps of 10 ms, which is ${(1000 / idleMs).toFixed(1)} % here.`,
    ],
  };
}

async function measureIdle(pid: number): Promise<{ cpuPercent: number; wakeUpsPerSecond: number }> {
  const before = { cpu: cpuSeconds(pid), wakeUps: wakeUps(pid) };
  await delay(idleMs);
  return {
    cpuPercent: ((cpuSeconds(pid) - before.cpu) / (idleMs / 1000)) * 100,
    wakeUpsPerSecond: (wakeUps(pid) - before.wakeUps) / (idleMs / 1000),
  };
}

const cpu = (samples: readonly Sample[]) => samples.map(({ cpuPercent }) => cpuPercent);
const percent = (value: number) => `${value.toFixed(1)} %`;
