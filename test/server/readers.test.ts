import { describe, expect, test, vi } from 'vitest';
import { outputOf } from '../console/desk.ts';
import { Guest } from '../support/guest.ts';
import { HttpProgram } from '../support/http-program.ts';
import { type Era, httpClient, type McpClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';

/** The two that share a server here are told apart by their sessions, or by their names where there are none. */
const pairs: readonly (readonly [Era, Era])[] = [
  ['legacy', 'legacy'],
  ['legacy', 'modern'],
];

describe.each(pairs)('a client of the %s and one of the %s era', (first, second) => {
  test('do not take output from each other', async () => {
    await using sandbox = await Sandbox.open();
    await using server = await HttpProgram.start(sandbox);
    await using guest = await Guest.listen();
    await using one = await httpClient(server, first);
    await using two = await httpClient(server, second);
    const machine = await one.startConsole(guest.port);
    await guest.print('first words\r\n');
    for (const client of [one, two]) expect(await read(client, machine, 'words')).toBe('first words');
    for (const client of [one, two]) expect(await read(client, machine)).toBe('');
    await guest.print('second words\r\n');
    for (const client of [two, one]) expect(await read(client, machine, 'words')).toBe('second words');
    guest.onInput = () => void guest.print('third words\r\n');
    await one.call('console_send', { machine, text: 'x', eol: 'none', expect: 'words' });
    expect(await read(two, machine, 'words')).toBe('third words');
  });

  test('share a reader that they name', async () => {
    await using sandbox = await Sandbox.open();
    await using server = await HttpProgram.start(sandbox);
    await using guest = await Guest.listen();
    await using one = await httpClient(server, first);
    await using two = await httpClient(server, second);
    const machine = await one.startConsole(guest.port);
    await guest.print('words\r\n');
    expect(await read(one, machine, 'words', 'ours')).toBe('words');
    expect(await read(two, machine, undefined, 'ours')).toBe('');
    const sly = await two.call('console_read', { machine, reader: '@somebody' });
    expect(sly).toMatchObject({ isError: true, text: expect.stringContaining('cannot contain "@"') });
  });
});

test('in the serencp dialect two clients read the same', async () => {
  await using sandbox = await Sandbox.open();
  await using server = await HttpProgram.start(sandbox, '--dialect', 'serencp');
  await using guest = await Guest.listen();
  await using one = await httpClient(server, 'legacy');
  await using two = await httpClient(server, 'legacy');
  const vm_name = `fptest-${process.pid}-readers`;
  const call = async (client: McpClient, name: string, more = {}) =>
    JSON.parse((await client.call(name, { vm_name, ...more })).text) as Record<string, unknown>;
  await call(one, 'start', { port: guest.port });
  await guest.print('to both\r\n');
  await vi.waitFor(async () => expect((await call(one, 'status')).buffer_bytes).toBe(9), 60_000);
  for (const client of [one, two]) expect(await call(client, 'read')).toMatchObject({ output: 'to both\r\n' });
  await call(one, 'stop');
});

async function read(client: McpClient, machine: string, expected?: string, reader?: string): Promise<string> {
  const { text } = await client.call('console_read', {
    machine,
    ...(expected !== undefined && { expect: `${expected}\n` }),
    ...(reader !== undefined && { reader }),
  });
  return outputOf(text);
}
