import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WatchdogDesk } from './desk.ts';
import { type Measured, measure } from './measure.ts';
import type { Bench } from './worst/bench.ts';

/** Of processor time, in one go. */
export const longestBlockMs = 100;
/** The whole server, with the largest machine there may be. */
const mostMb = 1200;

/** On a busy computer a call may meet the limit of its time, which is as good an end as any other. */
const outOfTime = /^ERROR This takes longer than \d+ s\./;

/** One test for each bench, all of them with one server. */
export function watchBenches(benches: readonly Bench[], more: (desk: () => WatchdogDesk) => void = () => {}): void {
  // What hangs is ended; everything else has limits of its own.
  vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });
  describe('whatever one call does, the server answers others', () => {
    let desk: WatchdogDesk;
    beforeAll(async () => {
      desk = await WatchdogDesk.open();
    });
    afterAll(() => desk[Symbol.asyncDispose]());

    test.each(benches)('$name', async (bench) => expect(await problemsOf(desk, bench)).toEqual([]));
    more(() => desk);
  });
}

export async function problemsOf(desk: WatchdogDesk, bench: Bench): Promise<readonly string[]> {
  const problems: string[] = [];
  for await (const measured of measure(desk, bench)) problems.push(...judged(measured));
  return problems;
}

function judged({ call, watched, answer }: Measured): string[] {
  const title = `${call.tool}, ${call.what}`;
  const isExpected = call.refused ? answer.isError && call.refused.test(answer.text) : !answer.isError;
  const asExpected = isExpected || outOfTime.test(answer.text);
  return [
    ...(watched.longestBlockMs > longestBlockMs
      ? [`${title}: a block of ${watched.longestBlockMs.toFixed(0)} ms`]
      : []),
    ...(watched.residentMb > mostMb ? [`${title}: ${watched.residentMb.toFixed(0)} MB`] : []),
    ...(watched.pings === 0 ? [`${title}: no ping was answered`] : []),
    ...(asExpected ? [] : [`${title}: ${answer.text.slice(0, 300)}`]),
  ];
}
