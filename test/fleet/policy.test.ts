import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Fleet } from '../support/fleet.ts';
import { httpClient, type McpClient } from '../support/mcp-client.ts';

let fleet: Fleet;
let client: McpClient;

beforeAll(async () => {
  fleet = await Fleet.open();
  await Promise.all([
    fleet.station('lab1', '--allow-kinds', 'c64,console', '--allow-networks', 'none'),
    fleet.station('lab2', '--allow-kinds', 'c64'),
    fleet.station('lab3', '--allow-kinds', 'c64'),
    fleet.station('lab4', '--allow-kinds', 'c64,console', '--allow-commands=false'),
  ]);
  client = await httpClient(
    await fleet.gateway('--structured', '--allow-networks', 'tap', '--allow-tcp', '*'),
    'modern',
  );
  await vi.waitFor(
    async () => expect((await client.call('machine_list', {})).text).toMatch(/lab1 .*lab2 .*lab3 .*lab4 /),
    60_000,
  );
}, 180_000);

afterAll(async () => {
  await client?.close();
  await fleet?.[Symbol.asyncDispose]();
});

test('what may be started is what stations allow, and not what the gateway would', async () => {
  const { text, structured } = await client.call('machine_kinds', {});
  expect(text).toMatch(/^c64: (?!.*Only on)/m);
  expect(text).toMatch(/^console: .* Only on lab1, lab4\.$/m);
  expect(text).not.toMatch(/^(dos|qemu|vice): /m);
  expect(text).toMatch(/^The operator of lab1 allows:\n([^T].*\n)* {2}guest networks: none /m);
  expect(text).toMatch(/^The operator of lab2, lab3 allows:$/m);
  expect(text).not.toMatch(/guest networks: tap/);
  expect(structured).toMatchObject({
    kinds: expect.arrayContaining([expect.objectContaining({ kind: 'console', hosts: ['lab1', 'lab4'] })]),
    policy: expect.arrayContaining([expect.objectContaining({ topic: 'kinds', hosts: ['lab2', 'lab3'] })]),
  });
});

test('a kind is described by a host that has it', async () => {
  const { text } = await client.call('machine_kinds', { kind: 'console' });
  expect(text).toMatch(/^console: [\s\S]*Options[\s\S]*\nAs on host lab[14]\.$/);
});

test.each(['machine_start', 'machine_kinds'])('%s of a kind that no station allows says that', async (tool) => {
  const answer = await client.call(tool, { kind: 'dos' });
  expect(answer).toMatchObject({ isError: true, meta: { 'frontpanel/error': { error_type: 'UNKNOWN_KIND' } } });
  expect(answer.text).toMatch(
    /No host of the fleet has the kind "dos"\.[\s\S]*Kinds: c64, console; .* allow no others/,
  );
  expect(answer.text).not.toMatch(/room/);
});

test('a kind that the wanted host does not have is told with the hosts that do', async () => {
  const answer = await client.call('machine_start', { kind: 'console', options: { on: 'lab2' } });
  expect(answer).toMatchObject({ isError: true, meta: { 'frontpanel/error': { error_type: 'UNKNOWN_KIND' } } });
  expect(answer.text).toMatch(/No host at "lab2" has machines of the kind console\.\n.*These have: lab1, lab4\./);
});

test('what one operator refuses is started where another allows it', async () => {
  const command = { command: ['cat'] };
  for (const name of ['r1', 'r2', 'r3', 'r4']) {
    const { text } = await client.call('machine_start', { kind: 'console', name, options: command });
    expect(text).toMatch(/^On host lab1\.$/m);
    expect(text).toMatch(/^Sockets for programs on lab1: \/.*\.out \(output\)/m);
  }
});

test('a refusal says whose operator decides', async () => {
  const options = { command: ['cat'], on: 'lab4' };
  const answer = await client.call('machine_start', { kind: 'console', options });
  expect(answer).toMatchObject({
    isError: true,
    meta: { 'frontpanel/error': { error_type: 'DENIED', operator_option: '--allow-commands', hosts: ['lab4'] } },
  });
  expect(answer.text).toMatch(/On host lab4: This server does not let agents run programs/);
  expect(answer.text).toMatch(/The operator of host lab4 decides that, with --allow-commands of the station there;/);
  const told = await client.call('machine_start', { kind: 'console', options: { host: '192.0.2.1', port: 23 } });
  expect(told.text).toMatch(/On hosts lab1, lab4: This server may not connect to 192\.0\.2\.1:23/);
  expect(told.text).toMatch(/The operators of hosts lab1, lab4 decide that, with --allow-tcp of the stations there;/);
});

test('a refusal is told of those hosts alone that refuse for this reason', async () => {
  const options = { command: ['cat'], record: '/etc/mine' };
  const { meta, text } = await client.call('machine_start', { kind: 'console', options });
  const refusal = Object(meta['frontpanel/error']);
  const hosts = refusal.operator_option === '--allow-path' ? ['lab1'] : ['lab4'];
  expect(refusal).toMatchObject({ hosts });
  expect(text).toContain(`On host ${hosts}: `);
});

test('a tool on a machine says whose operator refuses', async () => {
  await client.call('machine_start', { kind: 'c64', name: 'm', options: { on: 'lab2' } });
  const { text } = await client.call('snapshot_save', { machine: 'm', name: 's', path: '/etc/mine' });
  expect(text).toMatch(
    /On host lab2: The path \/etc\/mine is outside[\s\S]*operator of host lab2 decides that, with --allow-path/,
  );
});
