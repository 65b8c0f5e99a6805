import { expect, test } from 'vitest';
import { tools } from '../../src/tools/index.ts';
import { Guest } from '../support/guest.ts';
import { hasVice } from '../support/real-vice.ts';
import { problemsOf, watchBenches } from './watch-benches.ts';
import { argumentBench } from './worst/arguments.ts';
import { c64Files, c64Run } from './worst/c64.ts';
import { c64Past } from './worst/c64-past.ts';
import { consoleBench } from './worst/console.ts';
import { dosArchives, dosGraph, dosGuests, dosLarge, dosSources, dosTools, dosValues } from './worst/dos.ts';
import { qemuBench } from './worst/qemu.ts';
import { viceBench } from './worst/vice.ts';

watchBenches([qemuBench, ...(hasVice ? [viceBench] : [])], (desk) => {
  test('a console that floods', async () => {
    await using guest = await Guest.listen();
    const letters = Array.from(
      { length: 1_000_000 },
      (_, index) => 'ab  '[(Math.imul(index, 2_654_435_761) >>> 29) & 3],
    );
    const flow = Buffer.from(`${letters.join('')}\r\n`);
    const flood = new AbortController();
    const flooding = (async () => {
      while (!flood.signal.aborted) {
        await guest.print(flow);
        // A socket that is being closed refuses at once, again and again, and is closed in a turn of its own.
        await new Promise((resolve) => setImmediate(resolve));
      }
    })().catch(() => {});
    try {
      expect(await problemsOf(desk(), consoleBench(guest.port))).toEqual([]);
    } finally {
      flood.abort();
      guest.hangUp();
      await flooding;
    }
  });
});

test('every tool is among them', () => {
  const dos = [...dosGuests, ...dosArchives, dosGraph, dosLarge, dosSources, dosValues, dosTools];
  const benches = [argumentBench, c64Files, c64Run, c64Past, ...dos, qemuBench, viceBench, consoleBench(1)];
  const called = new Set(benches.flatMap(({ calls }) => calls.map(({ tool }) => tool)));
  expect(tools.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
});
