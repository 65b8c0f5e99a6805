import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WatchdogDesk } from './desk.ts';
import { type Measured, measure } from './measure.ts';
import type { Bench } from './worst/bench.ts';

/** Of processor time, in one go. */
export const longestBlockMs = 100;
/** How the title of a problem ends that may be the computer's. */
const blocked = 'a block of';
/** The whole server, with the largest machine there may be. */
const mostMb = 1200;

/** On a busy computer a call may meet the limit of its time, which is as good an end as any other. */
const outOfTime = /^ERROR (This takes longer than \d+ s of processor time|\S+ was given up after \d+ s)\./;

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

/** A processor shared with strangers, or memory being tidied, makes a turn long once: a block counts if it is there each time. */
export async function problemsOf(desk: WatchdogDesk, bench: Bench): Promise<readonly string[]> {
  let problems = await problemsOnce(desk, bench);
  for (let again = 0; again < 2 && onlyBlocks(problems); again++) {
    await using newDesk = await WatchdogDesk.open();
    const others = await problemsOnce(newDesk, bench);
    problems = new Map([...others].filter(([title]) => problems.has(title) || !title.endsWith(blocked)));
  }
  return [...problems.values()];
}

function onlyBlocks(problems: ReadonlyMap<string, string>): boolean {
  return problems.size > 0 && [...problems.keys()].every((title) => title.endsWith(blocked));
}

/** By what was wrong with which call, with the figure of this time. */
async function problemsOnce(desk: WatchdogDesk, bench: Bench): Promise<ReadonlyMap<string, string>> {
  const problems: [string, string][] = [];
  for await (const measured of measure(desk, bench)) problems.push(...judged(measured));
  return new Map(problems);
}

function judged({ call, watched, answer }: Measured): [string, string][] {
  const isExpected = call.refused ? answer.isError && call.refused.test(answer.text) : !answer.isError;
  const asExpected = isExpected || outOfTime.test(answer.text);
  const block = watched.longestBlockMs > longestBlockMs && `${watched.longestBlockMs.toFixed(0)} ms`;
  const size = watched.residentMb > mostMb && `${watched.residentMb.toFixed(0)} MB`;
  const problems: [string, string | false][] = [
    [blocked, block],
    ['memory', size],
    ['pings', watched.pings === 0 && 'none was answered'],
    ['the answer', !asExpected && answer.text.slice(0, 300)],
  ];
  return problems.flatMap(([problem, figure]): [string, string][] => {
    const title = `${call.tool}, ${call.what}: ${problem}`;
    return figure === false ? [] : [[title, `${title} ${figure}`]];
  });
}
