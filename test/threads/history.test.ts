import { expect, test } from 'vitest';
import { z } from 'zod';
import { serve } from '../support/mcp-servers.ts';

/** Changes two pages of memory in every frame, never the same way. */
const source = `
  * = $c000
next: lda $d012
  bne next
  inc $fb
  ldx #0
fill: txa
  eor $fb
  sta $2000,x
  sta $3000,x
  sta $4000,x
  sta $5000,x
  inx
  bne fill
wait: lda $d012
  beq wait
  jmp next
`;

const remembered = z.object({ first: z.number(), now: z.number() });

test('the limit of what machines remember holds for all threads together, and the oldest goes first', async () => {
  const limit = ['--max-history-bytes', String(1_400_000)];
  await using served = await serve('HTTP', 'modern', ['--threads', '2', '--toolset', 'all', '--yes', ...limit]);
  const { client } = served;
  const call = async (tool: string, args: Record<string, unknown>) => {
    const { text, isError } = await client.call(tool, args);
    expect(isError, text).toBeFalsy();
    return text;
  };
  const start = async (name: string) => {
    await call('machine_start', { kind: 'c64', name });
    await call('program_run', { machine: name, source });
  };
  const run = (machine: string, frames: number) => call('run', { machine, frames });
  const film = async (machine: string) =>
    remembered.parse(JSON.parse(await call('film_read', { machine, count: 2, format: 'json' })));
  /** The cycle before which nothing is remembered. */
  const beginning = async (machine: string) => (await film(machine)).first;

  await start('early');
  while ((await beginning('early')) === 0) await run('early', 50);
  const before = await beginning('early');
  await start('late');
  // The late one's past is newer, all of it: what the early one remembers goes, in another thread, where nothing runs.
  while ((await beginning('early')) === before) await run('late', 10);
  while ((await beginning('late')) === 0) await run('late', 10);
  // Nothing of the late one goes as long as there is anything older.
  const { first, now } = await film('early');
  expect(now - first).toBeLessThan(2 * 20_000);
}, 240_000);
