import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { encodePacket } from '../../src/links/gdb/packet.ts';
import { DapClient } from './dap-client.ts';
import { DebugDesk } from './debug-desk.ts';
import { GdbWire } from './gdb-client.ts';

let desk: DebugDesk;
beforeAll(async () => {
  desk = await DebugDesk.open('--allow-debuggers', '--toolset', 'all');
});
afterAll(() => desk[Symbol.asyncDispose]());
afterEach(() => desk.agent.call('machine_stop', { machine: 'mine' }).catch(() => {}));

const patience = { timeout: 60_000, interval: 20 };
const list = async () => (await desk.agent.call('machine_list')).text;
const nobodyIsAttached = () => vi.waitFor(async () => expect(await list()).not.toContain('attached'), patience);
const someoneIsAttached = () => vi.waitFor(async () => expect(await list()).toContain('attached'), patience);

test('a debugger that wants an answer again and again is cut off', async () => {
  const port = await desk.start('c64', 'gdb');
  using gdb = await GdbWire.open(port);
  const answer = await gdb.ask('m0,1000');
  const before = gdb.socket.bytesRead;
  gdb.socket.write('-'.repeat(50_000));
  await gdb.closed();
  expect(gdb.socket.bytesRead - before).toBeLessThan(10 * (answer.length + 4));
  await nobodyIsAttached();
  using next = await GdbWire.open(port);
  next.socket.write('-');
  expect(await next.ask('qC')).toBe('QC1');
});

test('a debugger that asks without waiting for answers is cut off', async () => {
  using gdb = await GdbWire.open(await desk.start('c64', 'gdb'));
  expect(await gdb.ask('qC')).toBe('QC1');
  gdb.send('c');
  await vi.waitFor(async () => expect(await list()).toContain('RUNNING'), patience);
  for (let packet = 0; packet < 100; packet++) gdb.send('m0,1');
  await gdb.closed();
  await nobodyIsAttached();
});

test('a debugger that asks and never reads is cut off, though it never asks too much at once', async () => {
  using gdb = await GdbWire.open(await desk.start('c64', 'gdb'));
  const { length } = await gdb.ask('m0,1ff0');
  gdb.socket.pause();
  const perRound = 50;
  // What the system keeps for it, and we, are a few megabytes at most.
  const mostRounds = (24 * 1024 * 1024) / (perRound * length);
  let round = 0;
  for (let isAttached = true; isAttached; round++) {
    expect(round).toBeLessThan(mostRounds);
    for (let packet = 0; packet < perRound; packet++) gdb.send('m0,1ff0');
    const number = (round % 256).toString(16).padStart(2, '0');
    gdb.send(`Mc000,1:${number}`);
    isAttached = await vi.waitFor(async () => {
      if (!(await list()).includes('attached')) return false;
      const { text } = await desk.agent.call('memory_read', { machine: 'mine', address: '$c000', length: 1 });
      expect(text.toLowerCase()).toMatch(new RegExp(`c000:? +${number}\\b`));
      return true;
    }, patience);
  }
  expect(round).toBeGreaterThan(1);
});

test('a packet that never ends is cut off', async () => {
  using gdb = await GdbWire.open(await desk.start('c64', 'gdb'));
  gdb.socket.write(`$M0,1:${'0'.repeat(200_000)}`);
  await gdb.closed();
  await nobodyIsAttached();
});

test('a storm of interrupts is one, and one that comes with its run stops that run', async () => {
  using gdb = await GdbWire.open(await desk.start('c64', 'gdb'));
  gdb.socket.write('\x03'.repeat(60_000));
  expect(await gdb.ask('qC')).toBe('QC1');
  gdb.socket.write(`${encodePacket('c')}\x03`, 'latin1');
  expect(await gdb.next()).toMatch(/^T02/);
  expect(await gdb.ask('vCont;s')).toMatch(/^T05/);
});

test('what a debugger asked for before it left does not move the machine any more', async () => {
  const port = await desk.start('c64', 'gdb');
  const gdb = await GdbWire.open(port);
  expect(await gdb.ask('Z0,1000,1')).toBe('OK');
  gdb.socket.write([1, 2, 3].map(() => encodePacket('c')).join(''), 'latin1');
  await vi.waitFor(async () => expect(await list()).toContain('RUNNING'), patience);
  gdb.socket.destroy();
  await nobodyIsAttached();
  expect(await list()).not.toContain('RUNNING');
  expect((await desk.agent.call('breakpoint_list', { machine: 'mine' })).text).not.toContain('1000');
});

test.for([
  ['a header that never ends', `Content-Length: 5\r\n${'X-Filler: 1\r\n'.repeat(5_000)}`],
  ['one line that never ends', `Content-Length: ${' '.repeat(5_000)}`],
  ['a message that is too long', 'Content-Length: 99999999\r\n\r\n'],
  ['a message that is not JSON', 'Content-Length: 4\r\n\r\n{{{{'],
  ['objects by the hundred thousand', `Content-Length: 900000\r\n\r\n[${'{},'.repeat(299_999)}{}]`],
  ['arrays in arrays', `Content-Length: 200000\r\n\r\n${'['.repeat(200_000)}`],
] as const)('an IDE that sends %s is cut off', async ([, text]) => {
  const socket = connect(await desk.start('c64', 'dap'), '127.0.0.1');
  socket.on('error', () => {}).resume();
  socket.write(text);
  await once(socket, 'close');
  expect(socket.bytesRead).toBe(0);
  expect(await list()).toContain('mine');
});

const request = (seq: number, command: string, args: unknown) => {
  const body = JSON.stringify({ seq, type: 'request', command, arguments: args });
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};

test('an IDE that asks and never reads is cut off', async () => {
  const socket = connect(await desk.start('c64', 'dap'), '127.0.0.1');
  socket.on('error', () => {}).pause();
  socket.write(request(1, 'attach', {}));
  await someoneIsAttached();
  const memory = request(2, 'readMemory', { memoryReference: '0', count: 65_536 });
  for (let round = 0; round < 8; round++) socket.write(memory.repeat(50));
  await nobodyIsAttached();
  socket.destroy();
});

test('a message in single bytes is read', async () => {
  const socket = connect(await desk.start('c64', 'dap'), '127.0.0.1');
  socket.setNoDelay(true);
  const ide = DapClient.over(socket, socket);
  for (const byte of Buffer.from(request(77, 'initialize', {}))) {
    await new Promise((resolve) => socket.write(Buffer.of(byte), resolve));
  }
  await vi.waitFor(() => expect(ide.messages[0]).toMatchObject({ request_seq: 77, success: true }), patience);
  socket.destroy();
});

test('breakpoints of an IDE are limited in number, values and length, and attaching twice is attaching once', async () => {
  const ide = DapClient.at(await desk.start('c64', 'dap'));
  await ide.ask('initialize');
  await ide.ask('attach', {});
  await ide.ask('attach', {});
  expect((await ide.ask('threads')).threads).toHaveLength(1);
  const many = { name: '$c000', logMessage: '{a}'.repeat(100) };
  const { breakpoints } = await ide.ask('setFunctionBreakpoints', { breakpoints: [many] });
  expect(breakpoints).toMatchObject([{ verified: false, message: '100 values in one message are too many.' }]);
  const long = { instructionReference: '9'.repeat(500_000) };
  const { breakpoints: told } = await ide.ask('setInstructionBreakpoints', { breakpoints: [long] });
  expect(told).toMatchObject([{ verified: false }]);
  const path = '/a'.repeat(100_000);
  const { breakpoints: lines } = await ide.ask('setBreakpoints', { source: { path }, breakpoints: [{ line: 1 }] });
  expect(lines).toMatchObject([{ verified: false }]);
  await expect(ide.ask('attach', { port: 70_000 })).rejects.toThrow(/port/);
  await ide.ask('disconnect');
});

test('an IDE that sends objects for texts is answered, and its session goes on', async () => {
  const ide = DapClient.at(await desk.start('c64', 'dap'));
  await ide.ask('initialize');
  await ide.ask('attach', {});
  const text = { toString: 1, valueOf: 1 };
  const asked: readonly (readonly [string, Record<string, unknown>])[] = [
    ['setBreakpoints', { source: { path: text }, breakpoints: [{ line: 1, condition: text, logMessage: text }] }],
    ['setFunctionBreakpoints', { breakpoints: [{ name: text, condition: text, hitCondition: text }] }],
    ['setInstructionBreakpoints', { breakpoints: [{ instructionReference: text, offset: text }] }],
    ['setDataBreakpoints', { breakpoints: [{ dataId: text, accessType: text }] }],
    ['dataBreakpointInfo', { name: text, variablesReference: text }],
    ['evaluate', { expression: text, frameId: text }],
    ['setVariable', { variablesReference: 1, name: text, value: text }],
    ['setExpression', { expression: text, value: text }],
    ['readMemory', { memoryReference: text, count: 1, offset: text }],
    ['writeMemory', { memoryReference: '0x1000', data: text, offset: text }],
    ['disassemble', { memoryReference: text, instructionCount: 1 }],
    ['stackTrace', { threadId: text }],
    ['continue', { threadId: text }],
  ];
  for (const [command, args] of asked) {
    const answer = await ide.ask(command, args).then(
      () => 'done',
      (error: unknown) => String(error),
    );
    expect(answer, command).not.toMatch(/internal error|Cannot convert|closed/);
    if (/Memory|Expression|disassemble/.test(command)) expect(answer, command).not.toBe('done');
  }
  expect((await ide.ask('threads')).threads).toHaveLength(1);
});
