import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { BinmonClient, counted } from '../support/binmon-client.ts';
import { DapClient } from './dap-client.ts';
import { DebugDesk } from './debug-desk.ts';
import { GdbWire } from './gdb-client.ts';

let desk: DebugDesk;
beforeAll(async () => {
  desk = await DebugDesk.open('--allow-debuggers', '--toolset', 'all');
});
afterAll(() => desk[Symbol.asyncDispose]());
afterEach(() => desk.agent.call('machine_stop', { machine: 'mine' }));

const write = () => desk.agent.call('memory_write', { machine: 'mine', address: '$0400', bytes: '01' });
const list = async () => (await desk.agent.call('machine_list')).text;
/** As LLDB has it: what is printed comes before the answer. */
const monitor = async (gdb: GdbWire, line: string) => {
  const printed = await gdb.ask(`qRcmd,${Buffer.from(line).toString('hex')}`);
  expect([printed.charAt(0), await gdb.next()]).toEqual(['O', 'OK']);
  return Buffer.from(printed.slice(1), 'hex').toString();
};

test('gdb takes the machine: agents read it, see who has it, and get its note', async () => {
  using gdb = await GdbWire.open(await desk.start('c64', 'gdb'));
  expect(await monitor(gdb, 'hand_back')).toContain('you did not have mine');
  expect(await monitor(gdb, 'take')).toContain('mine is yours');
  const refused = await write();
  expect(refused.text).toMatch(/mine is held by a person \(gdb \(127\.0\.0\.1:\d+\)\)/);
  expect((await desk.agent.call('memory_read', { machine: 'mine', address: '$0400' })).text).toContain('0400');
  expect(await gdb.ask('M2000,1:07')).toBe('OK');
  expect(await monitor(gdb, 'hand_back look at $2000')).toContain('given back');
  expect((await write()).text).toContain('look at $2000');
});

test('a debugger that leaves gives the machine back, and only one has it', async () => {
  const port = await desk.start('c64', 'gdb', { binmon: 0 });
  const [, second] =
    /binmon at 127\.0\.0\.1:(\d+)/.exec((await desk.agent.call('debug_port', { machine: 'mine' })).text) ?? [];
  using gdb = await GdbWire.open(port);
  const vice = await BinmonClient.open(Number(second));
  expect((await vice.ask(0x52, [1, ...counted('Hold'), 1, 1])).error).toBe(0);
  expect((await vice.ask(0x51, counted('Hold'))).body.readUInt32LE(2)).toBe(1);
  expect(await gdb.ask('M2000,1:07')).toBe('E01');
  expect((await write()).text).toContain('binmon (127.0.0.1');
  vice.socket.destroy();
  await vi.waitFor(async () => expect(await list()).not.toContain('binmon'), { timeout: 60_000 });
  expect(await gdb.ask('M2000,1:07')).toBe('OK');
});

test('an IDE takes it in its debug console', async () => {
  const ide = DapClient.at(await desk.start('c64', 'dap'));
  await ide.ask('initialize');
  await ide.ask('attach', {});
  await ide.event('initialized');
  await ide.ask('configurationDone');
  expect(await ide.ask('evaluate', { expression: 'take', context: 'repl' })).toMatchObject({ result: 'mine is yours' });
  expect((await write()).text).toContain('dap (127.0.0.1');
  await ide.ask('evaluate', { expression: 'hand_back done', context: 'repl' });
  expect((await write()).text).toContain('“done”');
  await ide.ask('disconnect');
});

test('what an agent is asked about a person does at the monitor, seen by the agent, and only while nobody else has the machine', async () => {
  const port = await desk.start('c64', 'binmon', { gdb: 0 });
  using vice = await BinmonClient.open(port);
  const path = join(desk.dir, 'dump.snap');
  const drive9 = [1, ...counted('Drive9Type'), 2, 5, 6];
  const acts = async () => [
    (await vice.ask(0xcc, [1])).error,
    (await vice.ask(0x52, drive9)).error,
    (await vice.ask(0x41, [1, 1, ...counted(path)])).error,
  ];
  const [, other] =
    /gdb at 127\.0\.0\.1:(\d+)/.exec((await desk.agent.call('debug_port', { machine: 'mine' })).text) ?? [];
  using gdb = await GdbWire.open(Number(other));
  await monitor(gdb, 'take');
  expect(await acts()).not.toContain(0);
  await monitor(gdb, 'hand_back');
  expect((await desk.agent.call('events_read', { types: ['reset'] })).text).not.toContain('mine');
  expect(await acts()).toEqual([0, 0, 0]);
  expect((await desk.agent.call('events_read', { types: ['reset'] })).text).toContain('mine');
  for (const tool of ['power_cycle', 'config_change', 'snapshot_dump']) {
    const args = { machine: 'mine', changes: [{ name: 'Drive9Type', value: 0 }], path };
    expect((await desk.agent.call('tool_find', { tool, arguments: args })).isError).toBe(true);
    expect((await desk.agent.call('batch', { steps: [{ tool, arguments: args }] })).isError).toBe(true);
  }
});
