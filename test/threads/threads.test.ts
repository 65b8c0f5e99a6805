import { expect, test } from 'vitest';
import { serve } from '../support/mcp-servers.ts';

/** What a server says of the same calls, without what differs from run to run. */
async function conversation(threads: number): Promise<readonly string[]> {
  await using served = await serve('HTTP', 'modern', ['--threads', String(threads), '--toolset', 'all', '--yes']);
  const { client } = served;
  const said: string[] = [];
  const call = async (tool: string, args: Record<string, unknown> = {}) => {
    const { text, isError, meta, structured } = await client.call(tool, args);
    said.push(
      `${tool}${isError ? ' failed' : ''}\n${withoutTimes(text)}\n${withoutTimes(JSON.stringify([meta, structured]))}`,
    );
  };
  await call('machine_list');
  await call('memory_read', { address: '$0400', length: 8 });
  await call('machine_start', { kind: 'c64' });
  await call('memory_read', { address: '$0400', length: 8 });
  await call('machine_start', { kind: 'dos', name: 'pc' });
  await call('machine_start', { kind: 'c64', name: 'pc' });
  await call('machine_start', { kind: 'c64', name: 'no good' });
  await call('machine_start', { kind: 'c64', options: { clock: 'sideways' } });
  await call('machine_start', { kind: 'nonsense' });
  await call('memory_read', { address: '$0400', length: 8 });
  await call('memory_read', { machine: 'c64-9', address: '$0400', length: 8 });
  await call('machine_start', { kind: 'vic20' });
  await call('breakpoint_set', { machine: 'c64-1', address: '$E5CD' });
  await call('run', { machine: 'c64-1', frames: 20 });
  await call('snapshot_save', { machine: 'c64-1', name: 'here' });
  await call('snapshot_restore', { machine: 'c64-1', name: 'here', into: 'fork' });
  await call('snapshot_restore', { machine: 'c64-1', name: 'here', into: 'pc' });
  await call('screen_read', { machine: 'pc' });
  await call('disassemble', { machine: 'fork', count: 4 });
  await call('batch', {
    steps: [
      { tool: 'step', arguments: { machine: 'fork' } },
      { tool: 'memory_read', arguments: { machine: 'vic20-1', address: '$1E00', length: 8 } },
    ],
  });
  await call('memory_read', { machine: 'pc', address: 'here', length: 8 });
  await call('tool_find', { find: 'trace' });
  await call('machine_list', { filter: 'c64' });
  await call('machine_list', { after: 'fork', format: 'json' });
  await call('machine_stop', { machine: 'c64-1' });
  await call('machine_stop', { machine: 'c64-1' });
  await call('events_read');
  const { resources } = await client.listResources();
  said.push(JSON.stringify(resources));
  const read = await client.readResource({ uri: resources.find(({ uri }) => uri.includes('fork'))?.uri ?? '' });
  said.push(withoutTimes(JSON.stringify(read)));
  return said;
}

function withoutTimes(text: string): string {
  return text
    .replaceAll(/\d\d:\d\d:\d\d\.\d{3}/g, 'TIME')
    .replaceAll(/[\d.]+ m?s real time/g, 'SOME real time')
    .replaceAll(/\[(\/?output) \w+/g, '[$1 MARK')
    .replaceAll(/\\?"(at|idle_s|since|lastedMs|silentMs)\\?":\d+/g, '"$1":0')
    .replaceAll(/\/[^"\s]*\/([^/"\s]+\.(?:in|out))\b/g, '$1');
}

test('an agent is told the same with threads and without', async () => {
  const [without, two] = await Promise.all([conversation(0), conversation(2)]);
  expect(two).toEqual(without);
}, 240_000);
