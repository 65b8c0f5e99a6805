import { expect, test } from 'vitest';
import type { McpClient } from '../support/mcp-client.ts';
import { serve, ways } from '../support/mcp-servers.ts';

const patience = { timeout: 60_000 };

test.each(ways)(
  'over %s, %s era, tools join the list when a machine starts that they work on, and stay',
  async (way, era) => {
    await using served = await serve(way, era);
    const { client } = served;
    let changes = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      changes++;
    });
    if (era === 'modern') await client.listen({ toolsListChanged: true });
    const before = await names(client);
    expect(before).not.toContain('chip_read');
    await client.call('machine_start', { kind: 'c64' });
    await expect.poll(() => changes, patience).toBe(1);
    const after = await names(client);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after).toEqual(expect.arrayContaining(['chip_read', 'frame_trace', 'events_read', 'memory_search']));
    expect(after).not.toContain('network_capture_read');
    await client.call('machine_stop', { machine: 'c64-1' });
    await client.call('machine_start', { kind: 'c64' });
    expect(await names(client)).toEqual(after);
    expect(changes).toBe(1);
  },
);

test('beside the machine of the demo the first list is the short one, until an agent works with it', async () => {
  await using served = await serve('HTTP', 'legacy', ['--demo']);
  const { client } = served;
  const before = await names(client);
  expect(before.length).toBeLessThan(30);
  expect((await client.call('machine_list')).text).toContain('c64-1');
  expect(await names(client)).toEqual(before);
  await client.call('screen_read', { machine: 'c64-1' });
  expect(await names(client)).toContain('chip_read');
});

test('a list that is asked to be short or whole never changes', async () => {
  for (const choice of ['short', 'all']) {
    await using served = await serve('stdio', 'legacy', ['--toolset', choice]);
    const { client } = served;
    const before = await names(client);
    const started = await client.call('machine_start', { kind: 'c64' });
    expect(started.text).toMatch(/^More for it with tool_find: .*\bchips\b.*\.$/m);
    expect(await names(client)).toEqual(before);
    expect((await client.call('chip_read', { chip: 'vic2' })).isError).toBe(false);
  }
});

test('the same words over MCP, in a batch, through tool_find and on the command line', async () => {
  await using served = await serve('stdio', 'legacy', ['--toolset', 'machines']);
  const { client, sandbox } = served;
  const words = 'chip_read belongs to the toolset chips, which is switched off.';
  await expect(client.call('chip_read')).rejects.toThrow(words);
  expect((await client.call('tool_find', { tool: 'chip_read' })).text).toContain(words);
  expect((await client.call('batch', { steps: [{ tool: 'chip_read' }] })).text).toContain(words);
  expect((await sandbox.run(['call', 'chip_read', '--toolset', 'machines'])).stderr).toContain(words);
  await expect(client.call('machine_lst')).rejects.toThrow(
    /No tool "machine_lst"\. Did you mean machine_list\?.*tool_find.*Toolsets: machines, screen/,
  );
});

async function names(client: McpClient): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}
