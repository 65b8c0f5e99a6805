import { type McpClient, stdioClient } from '../test/support/mcp-client.ts';
import { Sandbox } from '../test/support/sandbox.ts';
import { atMost, type Row, type Table } from './harness/bench.ts';
import { threadsMs } from './harness/process-usage.ts';
import { median } from './harness/statistics.ts';

const warmUp = 40;
const counted = 40;

/** What an agent's call costs the program as people get it, with all that goes on around it. */
export async function programTable(): Promise<Table> {
  const again = await costs((client) => client.call('machine_start', { kind: 'c64', name: 'next' }));
  const forks = await costs((client) =>
    client.call('snapshot_restore', { machine: 'first', name: 'prompt', into: 'next' }),
  );
  return {
    title: 'Another C64, of the program over its standard streams',
    rows: [row('machine_start with the same options', again), row('snapshot_restore into a new machine', forks)],
    notes: [
      `Processor time of all threads from a call to its answer; medians of ${counted} calls after ${warmUp}, each machine stopped before the next.`,
      'ROMs are looked for where they are by default.',
    ],
  };
}

async function costs(start: (client: McpClient) => ReturnType<McpClient['call']>): Promise<readonly number[]> {
  await using sandbox = await Sandbox.open();
  delete sandbox.env.FRONTPANEL_ROMS;
  await using client = await stdioClient(sandbox, 'modern', ['--toolset', 'all']);
  await client.call('machine_start', { kind: 'c64', name: 'first' });
  await client.call('snapshot_save', { machine: 'first', name: 'prompt' });
  const all: number[] = [];
  for (let number = 0; number < warmUp + counted; number++) {
    const before = threadsMs(client.pid);
    const { isError, text } = await start(client);
    all.push(threadsMs(client.pid) - before);
    if (isError) throw new Error(text);
    await client.call('machine_stop', { machine: 'next' });
  }
  return all;
}

function row(what: string, all: readonly number[]): Row {
  const [late, first = 0] = [all.slice(warmUp), all[0]];
  return {
    what,
    measured: `${median(late).toFixed(1)} ms`,
    best: `${Math.min(...late).toFixed(1)} ms`,
    reference: `${first.toFixed(0)} ms the first`,
    target: atMost(median(late), 10, '≤ 10 ms'),
  };
}
