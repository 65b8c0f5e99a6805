import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { tools } from '../../src/tools/index.ts';
import { Guest } from '../support/guest.ts';
import { WatchdogDesk } from './desk.ts';
import { type Measured, measure } from './measure.ts';
import { argumentBench } from './worst/arguments.ts';
import type { Bench } from './worst/bench.ts';
import { c64Files, c64Run } from './worst/c64.ts';
import { consoleBench } from './worst/console.ts';
import { dosArchives, dosGraph, dosGuests, dosLarge, dosSources, dosTools } from './worst/dos.ts';
import { qemuBench } from './worst/qemu.ts';

// What hangs is ended; everything else has limits of its own.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

/** Of processor time, in one go. */
const longestBlockMs = 100;
/** The whole server, with the largest machine there may be. */
const mostMb = 1200;

const benches: readonly Bench[] = [
  argumentBench,
  c64Files,
  c64Run,
  ...dosGuests,
  ...dosArchives,
  dosGraph,
  dosLarge,
  dosSources,
  dosTools,
  qemuBench,
];

describe('whatever one call does, the server answers others', () => {
  let desk: WatchdogDesk;
  beforeAll(async () => {
    desk = await WatchdogDesk.open();
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  test.each(benches)('$name', async (bench) => {
    const problems: string[] = [];
    for await (const measured of measure(desk, bench)) problems.push(...problemsOf(measured));
    expect(problems).toEqual([]);
  });

  test('a console that floods', async () => {
    await using guest = await Guest.listen();
    const letters = Array.from(
      { length: 1_000_000 },
      (_, index) => 'ab  '[(Math.imul(index, 2_654_435_761) >>> 29) & 3],
    );
    const flood = new AbortController();
    const flooding = (async () => {
      while (!flood.signal.aborted) await guest.print(`${letters.join('')}\r\n`);
    })().catch(() => {});
    const problems: string[] = [];
    for await (const measured of measure(desk, consoleBench(guest.port))) problems.push(...problemsOf(measured));
    flood.abort();
    await flooding;
    expect(problems).toEqual([]);
  });
});

test('every tool is among them', () => {
  const called = new Set([...benches, consoleBench(1)].flatMap(({ calls }) => calls.map(({ tool }) => tool)));
  expect(tools.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
});

function problemsOf({ call, watched, answer }: Measured): string[] {
  const title = `${call.tool}, ${call.what}`;
  const asExpected = call.refused ? answer.isError && call.refused.test(answer.text) : !answer.isError;
  return [
    ...(watched.longestBlockMs > longestBlockMs
      ? [`${title}: a block of ${watched.longestBlockMs.toFixed(0)} ms`]
      : []),
    ...(watched.residentMb > mostMb ? [`${title}: ${watched.residentMb.toFixed(0)} MB`] : []),
    ...(watched.pings === 0 ? [`${title}: no ping was answered`] : []),
    ...(asExpected ? [] : [`${title}: ${answer.text.slice(0, 300)}`]),
  ];
}
