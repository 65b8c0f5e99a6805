import type { C64Machine } from '../src/machines/commodore/c64/machine/c64-machine.ts';
import type { Row, Table } from './harness/bench.ts';
import { interleaved } from './harness/rounds.ts';
import { median, ratio } from './harness/statistics.ts';

const rounds = 5;
const frames = 20;
const maxBytes = 10_000_000;
const never = new AbortController().signal;

/** What it costs to look at the past, compared with running it. */
export async function pastTable(machine: C64Machine): Promise<Table> {
  const { control, frameTrace, profile } = machine;
  const page = { cursor: 0, limit: 1, maxBytes };
  const samples = await interleaved(rounds, {
    run: () => framesPerSecond(() => control.run({ frames, wallMs: 60_000 }, never)),
    // Each time other frames: the last trace is kept.
    trace: () => fresh(control, async () => void (await frameTrace?.read({ ...page, frames }, never))),
    reads: () => fresh(control, async () => void (await frameTrace?.read({ ...page, frames, reads: true }, never))),
    profile: () => fresh(control, async () => void (await profile?.profile(frames, never))),
  });
  const names = {
    trace: 'a frame trace is read',
    reads: 'a frame trace with reads is read',
    profile: 'a profile is read',
  } as const;
  const rows = (Object.keys(names) as (keyof typeof names)[]).map((name): Row => {
    const rates = samples[name] ?? [];
    return {
      what: names[name],
      ratio: ratio(rates, samples.run ?? []).toFixed(2),
      measured: `${(1000 / median(rates)).toFixed(1)} ms a frame`,
      reference: `${(1000 / median(samples.run ?? [])).toFixed(1)} ms to run one`,
    };
  });
  return { title: 'Looking back', rows, notes: ['Nothing is recorded while the machine runs: its past is run again.'] };
}

async function fresh(control: C64Machine['control'], look: () => Promise<void>): Promise<number> {
  await control.run({ frames: 1, wallMs: 60_000 }, never);
  return framesPerSecond(look);
}

/** Of processor time. */
async function framesPerSecond(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return frames / ((user + system) / 1e6);
}
