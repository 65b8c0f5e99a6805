import { expect, test } from 'vitest';
import { stdioClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';

test('names without dots, for clients that refuse them', async () => {
  await using sandbox = await Sandbox.open();
  await using client = await stdioClient(sandbox, 'legacy', ['--dialect', 'vice', '--dialect-names', 'underscore']);
  const { tools } = await client.listTools();
  expect(tools.filter(({ name }) => !/^vice_[a-z0-9_]{1,50}$/.test(name))).toEqual([]);
  expect(JSON.parse((await client.call('vice_ping')).text)).toMatchObject({ status: 'ok' });
});

test('a machine that there is not is refused before anything is served', async () => {
  await using sandbox = await Sandbox.open();
  const { code, stderr } = await sandbox.run(['--dialect', 'vice', '--machine', 'enterprise']);
  expect(code).not.toBe(0);
  expect(stderr).toContain('Machines: c64, vic20, plus4, c16.');
});
