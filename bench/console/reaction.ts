import { atMost, type Row, type Table } from '../harness/bench.ts';
import { timedMs } from '../harness/clock.ts';
import { median } from '../harness/statistics.ts';
import { BenchRoom } from './bench-room.ts';
import type { Panel } from './panel.ts';

/** How long the guest is away. Longer ones meet the doubled waiting time. */
const outagesMs = [0, 500, 1500, 6000];
const machinesEach = 5;
const stops = 6;

/** How soon the server is back on a port that came back, and gone when it is told to stop. */
export async function reaction(): Promise<Table> {
  await using room = await BenchRoom.open();
  const panel = await room.panel();
  const rows: Row[] = [];
  for (const awayMs of outagesMs) rows.push(await reconnect(room, panel, awayMs));
  rows.push(await stop(room, panel, 'quiet'));
  rows.push(await stop(room, panel, 'flooding'));
  return {
    title: 'Reaction: reconnect and stop (median and worst)',
    rows,
    notes: [
      `Reconnect is from the moment the port listens again to the new connection, ${machinesEach} machines at once. The first attempt comes 0.8 to ` +
        '1 s after the loss, the second 1.6 to 2 s later, and so on to 60 s; on the same computer the return of the port is seen in the ' +
        "kernel's table of listening sockets, and the next attempt comes at once. Ports of other computers wait for their turn.",
      `Stop is \`machine_stop\` from call to answer at the client, with a client on the output socket, ${stops} times. It includes up to 50 ms in ` +
        'which what was written may still leave.',
    ],
  };
}

async function reconnect(room: BenchRoom, panel: Panel, awayMs: number): Promise<Row> {
  const lines = await room.consoles(panel, machinesEach);
  const outages = await Promise.all(lines.map(({ guestPort }) => room.guests.call('outage', guestPort, awayMs)));
  for (const { handle } of lines) await panel.call('machine_stop', { machine: handle });
  const times = outages.map(({ backMs, calledMs }) => calledMs - backMs);
  return {
    what: `reconnect after ${awayMs / 1000} s without the port`,
    measured: medianAndWorst(times),
    best: ms(Math.min(...times)),
    target: atMost(Math.max(...times), 1100, 'worst ≤ 1100 ms'),
  };
}

async function stop(room: BenchRoom, panel: Panel, guest: 'quiet' | 'flooding'): Promise<Row> {
  const watcher = room.watcher();
  const times: number[] = [];
  for (let turn = 0; turn < stops; turn++) {
    const [line] = await room.consoles(panel, 1);
    if (!line) throw new Error('no console');
    await watcher.call('watch', line.socketOut);
    if (guest === 'flooding') await room.guests.call('chatter', line.guestPort);
    times.push(await timedMs(() => panel.call('machine_stop', { machine: line.handle })));
  }
  return {
    what: `stop, guest ${guest}`,
    measured: medianAndWorst(times),
    best: ms(Math.min(...times)),
    target: atMost(Math.max(...times), 100, 'worst < 100 ms'),
  };
}

const ms = (value: number) => `${value.toFixed(0)} ms`;
const medianAndWorst = (times: readonly number[]) => `${ms(median(times))}, worst ${ms(Math.max(...times))}`;
