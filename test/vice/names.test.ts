import { expect, test } from 'vitest';
import { stdioClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';
import { ViceDesk } from './desk.ts';

test('names without dots, for clients that refuse them', async () => {
  await using sandbox = await Sandbox.open();
  await using client = await stdioClient(sandbox, 'legacy', ['--dialect', 'vice', '--dialect-names', 'underscore']);
  const { tools } = await client.listTools();
  expect(tools.filter(({ name }) => !/^vice_[a-z0-9_]{1,50}$/.test(name))).toEqual([]);
  expect(JSON.parse((await client.call('vice_ping')).text)).toMatchObject({ status: 'ok' });
});

test('without dots, instructions, descriptions and refusals name tools as they can be called', async () => {
  await using sandbox = await Sandbox.open();
  const args = ['--dialect', 'vice', '--dialect-names', 'underscore'];
  await using desk = new ViceDesk(sandbox, await stdioClient(sandbox, 'legacy', args));
  const dotted = /\bvice\.[a-z0-9_.]*[a-z]/;
  const { tools } = await desk.client.listTools();
  const said = [desk.client.getInstructions() ?? '', ...tools.map((tool) => JSON.stringify(tool))];
  expect(said.filter((text) => dotted.test(text))).toEqual([]);
  expect(said[0]).toContain('Call vice_machine_capabilities first');
  const refusals = await Promise.all([
    desk.refusal('vice_execution_step'),
    desk.refusal('vice_nothing'),
    desk.refusal('vice_ted_registers_get'),
    desk.refusal('vice_execution_step', { count: 0 }),
  ]);
  expect(refusals.filter((refusal) => dotted.test(JSON.stringify(refusal)))).toEqual([]);
  expect(refusals).toMatchObject([
    { data: { suggested_fix: 'Call vice_execution_pause first.' } },
    { data: { tool: 'vice_nothing', suggested_fix: expect.stringContaining('vice_machine_capabilities') } },
    { data: { tool: 'vice_ted_registers_get' } },
    { message: expect.stringMatching(/^vice_execution_step: count/) },
  ]);
});

test('a machine that there is not is refused before anything is served', async () => {
  await using sandbox = await Sandbox.open();
  const { code, stderr } = await sandbox.run(['--dialect', 'vice', '--machine', 'enterprise']);
  expect(code).not.toBe(0);
  expect(stderr).toContain('Machines: c64, vic20, plus4, c16.');
});
