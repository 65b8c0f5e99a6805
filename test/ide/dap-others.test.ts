import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Sandbox } from '../support/sandbox.ts';
import { DapClient, named, opened } from './dap-client.ts';
import { kernel } from './guest/kernel.ts';

const patience = 120_000;
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

function open(...args: readonly string[]) {
  const child = sandbox.spawn(['dap', ...args]);
  return { child, ide: DapClient.over(child.stdout, child.stdin) };
}

test.each(['c64', 'c16', 'vic20'])(
  'machine code without a line of BASIC stops at its entry on a %s, and runs on',
  async (kind) => {
    // * = $1200: lda #1, sta $1300, jmp $1202
    writeFileSync(join(sandbox.dir, 'bare.prg'), Uint8Array.of(0, 0x12, 0xa9, 1, 0x8d, 0, 0x13, 0x4c, 2, 0x12));
    const { child, ide } = open();
    await ide.ask('initialize');
    await ide.ask('launch', { kind, program: 'bare.prg', stopOnEntry: true });
    await ide.event('initialized');
    const breakpoints = [{ instructionReference: '0x1205' }];
    await ide.ask('setInstructionBreakpoints', { breakpoints });
    await ide.ask('configurationDone');
    expect(await ide.event('stopped')).toMatchObject({ reason: 'entry' });
    const place = async () => (await ide.ask('stackTrace', { threadId: 1 })).stackFrames[0].instructionPointerReference;
    expect(await place()).toBe('0x1200');
    await ide.ask('continue', { threadId: 1 });
    expect(await ide.event('stopped')).toMatchObject({ reason: 'instruction breakpoint' });
    expect(await place()).toBe('0x1205');
    await ide.ask('disconnect');
    child.stdin.end();
  },
  patience,
);

test(
  'a session that is ended while it restarts is answered, and ends well',
  async () => {
    writeFileSync(join(sandbox.dir, 'bare.prg'), Uint8Array.of(0, 0x12, 0xa9, 1, 0x8d, 0, 0x13, 0x4c, 2, 0x12));
    const { child, ide } = open();
    await ide.ask('initialize');
    await ide.ask('launch', { kind: 'c16', program: 'bare.prg', stopOnEntry: true });
    await ide.event('initialized');
    await ide.ask('configurationDone');
    await ide.event('stopped');
    await ide.ask('restart');
    await ide.ask('disconnect');
    const ended = once(child, 'exit');
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
  },
  patience,
);

test(
  'a C kernel in QEMU: entry, lines, the call stack, steps, variables of C',
  async () => {
    writeFileSync(join(sandbox.dir, 'kernel.elf'), kernel);
    const path = join(sandbox.dir, 'kernel.c');
    copyFileSync(new URL('guest/kernel.c', import.meta.url), path);
    const { child, ide } = open();
    await ide.ask('initialize');
    const options = { arch: 'aarch64', machine: 'virt', cpu: 'cortex-a57', smp: 2, kernel: 'kernel.elf' };
    await ide.ask('launch', { kind: 'qemu', options, symbols: ['kernel.elf'], stopOnEntry: true });
    await ide.event('initialized');
    const lines = await ide.ask('setBreakpoints', { source: { path }, breakpoints: [{ line: 5 }] });
    expect(lines.breakpoints).toMatchObject([{ verified: true, line: 5 }]);
    await ide.ask('configurationDone');
    expect(await ide.event('stopped')).toMatchObject({ reason: 'entry' });
    await ide.ask('continue', { threadId: 1 });
    expect(await ide.event('stopped')).toMatchObject({ reason: 'breakpoint', hitBreakpointIds: [1] });
    const { stackFrames } = await ide.ask('stackTrace', { threadId: 1 });
    expect(stackFrames).toMatchObject([
      { name: expect.stringMatching(/^add/), line: 5, source: { path } },
      { name: expect.stringMatching(/^start/), line: 11, source: { path } },
      {},
    ]);
    await ide.ask('next', { threadId: 1 });
    await ide.event('stopped');
    expect((await ide.ask('stackTrace', { threadId: 1 })).stackFrames[0].line).toBe(6);
    expect(await named(ide, 1000)).toMatchObject({
      left: { value: '0', type: 'unsigned int', evaluateName: 'left' },
      right: { value: '2' },
      sum: { value: '2', variablesReference: 0 },
    });
    expect((await ide.ask('scopes', { frameId: 1001 })).scopes).toEqual([]);
    const { variablesReference: locals } = (await ide.ask('scopes', { frameId: 1000 })).scopes[0];
    const changed = await ide.ask('setVariable', { variablesReference: locals, name: 'sum', value: 'left + 40' });
    expect(changed).toMatchObject({ value: '40' });
    await ide.ask('stepOut', { threadId: 1 });
    await ide.event('stopped');
    expect((await ide.ask('stackTrace', { threadId: 1 })).stackFrames[0].line).toBe(11);
    const { data } = await ide.ask('readMemory', {
      memoryReference: (await ide.ask('evaluate', { expression: 'counter' })).memoryReference,
      count: 4,
    });
    expect(Buffer.from(data, 'base64').readUInt32LE(0)).toBe(0);

    await ide.ask('setBreakpoints', { source: { path }, breakpoints: [{ line: 31 }] });
    await ide.ask('continue', { threadId: 1 });
    await ide.event('stopped');
    // What add() returned was changed in its frame.
    expect(await ide.ask('evaluate', { expression: 'counter' })).toMatchObject({ result: '40', type: 'unsigned int' });
    const { here, count } = await named(ide, 1000);
    expect(here).toMatchObject({ type: 'struct point', namedVariables: 7 });
    const members = await opened(ide, here);
    expect(members).toMatchObject({
      x: { value: '-4', evaluateName: 'here.x' },
      y: { indexedVariables: 3 },
      name: { value: expect.stringContaining('"here"') },
      colour: { value: 'green (5)' },
      low: { value: '5' },
      high: { value: '9' },
    });
    expect(await opened(ide, members.y)).toMatchObject({ '[0]': { value: '10' }, '[2]': { value: '30' } });
    const { variables: some } = await ide.ask('variables', {
      ...{ variablesReference: members.y.variablesReference, filter: 'indexed', start: 1, count: 1 },
    });
    expect(some).toMatchObject([{ name: '[1]', value: '20', evaluateName: 'here.y[1]' }]);
    expect(await opened(ide, members.next)).toMatchObject({ x: { value: '7' }, next: { variablesReference: 0 } });
    expect(await opened(ide, count)).toMatchObject({ '*count': { value: '40' } });

    const set = (name: string, value: string) =>
      ide.ask('setVariable', { variablesReference: here.variablesReference, name, value });
    expect(await set('high', '3')).toMatchObject({ value: '3' });
    expect(await set('colour', 'red')).toMatchObject({ value: 'red (0)' });
    await expect(set('high', '16')).rejects.toThrow('does not fit into 4 bits');
    await expect(set('next', 'nothing')).rejects.toThrow('Nothing is called nothing');
    await expect(set('y', '1')).rejects.toThrow('is not a number');
    const assign = (expression: string, value: string) =>
      ide.ask('setExpression', { expression, value, frameId: 1000 });
    expect(await assign('here.y[1]', '0x100')).toMatchObject({ value: '256' });
    expect(await assign('here.next->x', 'here.x * 2')).toMatchObject({ value: '-8' });
    expect(await assign('*count', '1000')).toMatchObject({ value: '1000' });
    expect(await assign('$x9', '0x55')).toMatchObject({ value: '0x55' });
    expect(await opened(ide, here)).toMatchObject({
      low: { value: '5' },
      high: { value: '3' },
      colour: { value: 'red (0)' },
    });
    expect(await ide.ask('evaluate', { expression: 'last.x', frameId: 1000 })).toMatchObject({ result: '-8' });
    const info = await ide.ask('dataBreakpointInfo', { variablesReference: here.variablesReference, name: 'x' });
    expect(info.dataId).toMatch(/\/4$/);
    await ide.ask('setDataBreakpoints', { breakpoints: [{ dataId: info.dataId, accessType: 'write' }] });
    await ide.ask('continue', { threadId: 1 });
    expect(await ide.event('stopped')).toMatchObject({ reason: 'data breakpoint' });
    expect(await ide.ask('evaluate', { expression: 'here.x', frameId: 1000 })).toMatchObject({ result: '252' });
    await ide.ask('setDataBreakpoints', { breakpoints: [] });
    await ide.ask('setBreakpoints', { source: { path }, breakpoints: [] });
    await ide.ask('stepBack', { threadId: 1 });
    expect(await ide.event('output')).toMatchObject({ category: 'stderr' });
    await ide.ask('evaluate', { expression: 'crash_dump {"path":"dead.core"}', context: 'repl' });
    await ide.ask('disconnect');
    child.stdin.end();

    // Opened again from its core file: each processor is a thread, and nothing runs.
    const { child: second, ide: later } = open();
    await later.ask('initialize');
    await later.ask('launch', { kind: 'qemu', options: { core: 'dead.core' }, symbols: ['kernel.elf'] });
    await later.event('initialized');
    await later.ask('configurationDone');
    expect(await later.event('stopped')).toMatchObject({ reason: 'entry' });
    expect((await later.ask('threads')).threads).toEqual([
      { id: 1, name: 'qemu-1 vcpu0' },
      { id: 2, name: 'qemu-1 vcpu1' },
    ]);
    const frames = async (threadId: number) => (await later.ask('stackTrace', { threadId })).stackFrames;
    expect(await frames(1)).toMatchObject([{ name: expect.stringMatching(/^walk/), source: { path } }, {}, {}]);
    expect((await frames(2))[0].name).not.toMatch(/^walk/);
    const dead = await named(later, 1000);
    expect(await opened(later, dead.here)).toMatchObject({ x: { value: '252' }, colour: { value: 'red (0)' } });
    const { memoryReference } = await later.ask('evaluate', { expression: 'last', frameId: 1000 });
    const memory = await later.ask('readMemory', { memoryReference, count: 4 });
    expect(Buffer.from(memory.data, 'base64').readInt32LE(0)).toBe(-8);
    await expect(
      later.ask('setVariable', { variablesReference: dead.here.variablesReference, name: 'x', value: '1' }),
    ).rejects.toThrow(/core file/);
    await later.ask('continue', { threadId: 1 });
    expect(await later.event('output')).toMatchObject({ output: expect.stringContaining('core file') });
    await later.ask('disconnect');
    second.stdin.end();
  },
  patience,
);

test(
  'a DOS program beside a C64 on a port: two machines are two threads',
  async () => {
    const code = [0xb8, 0x34, 0x12, 0x40, 0x40, 0xeb, 0xfc];
    writeFileSync(join(sandbox.dir, 'ADD.COM'), Uint8Array.from(code));
    const child = sandbox.spawn(['dap', '--port', '0']);
    const port = await new Promise<number>((resolve) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        const [, found] = /127\.0\.0\.1:(\d+)/.exec(text) ?? [];
        if (found !== undefined) resolve(Number(found));
      });
    });
    const ide = DapClient.at(port);
    await ide.ask('initialize');
    const second = { kind: 'c64', handle: 'other' };
    await ide.ask('launch', { kind: 'dos', program: 'ADD.COM', stopOnEntry: true, pace: 'warp', machines: [second] });
    await ide.event('initialized');
    await ide.ask('configurationDone');
    const { threads } = await ide.ask('threads');
    expect(threads).toEqual([
      { id: 1, name: 'dos-1' },
      { id: 2, name: 'other' },
    ]);
    const stops = [await ide.event('stopped'), await ide.event('stopped')];
    expect(stops.map(({ threadId, reason }) => `${threadId} ${reason}`).sort()).toEqual(['1 entry', '2 entry']);
    for (let count = 0; count < 3; count++) {
      await ide.ask('next', { threadId: 1, granularity: 'instruction' });
      await ide.event('stopped');
    }
    const { scopes } = await ide.ask('scopes', { frameId: 1000 });
    expect(scopes).toMatchObject([{ name: 'Registers' }]);
    expect(await opened(ide, scopes[0])).toMatchObject({ EAX: { value: '0x1236' } });
    expect(await ide.ask('setExpression', { expression: 'ebx', value: '0x77', frameId: 1000 })).toMatchObject({
      value: '0x77',
    });
    await ide.ask('setExpression', { expression: '0x500', value: '12 34 56', frameId: 1000 });
    const read = await ide.ask('readMemory', { memoryReference: '0x500', count: 3 });
    expect(Buffer.from(read.data, 'base64').toString('hex')).toBe('123456');
    const wrong = ide.ask('setExpression', { expression: '0x500', value: '1234', frameId: 1000 });
    await expect(wrong).rejects.toThrow('is neither');
    await ide.ask('stepBack', { threadId: 1, granularity: 'instruction' });
    await ide.event('stopped');
    const before = await ide.ask('evaluate', { expression: 'eax', frameId: 1000 });
    expect(before.result).toBe('0x1235');
    await ide.ask('continue', { threadId: 2 });
    await ide.ask('pause', { threadId: 2 });
    expect(await ide.event('stopped')).toMatchObject({ threadId: 2, reason: 'pause' });
    await ide.ask('disconnect');
    child.kill('SIGTERM');
  },
  patience,
);

test('what is no message, as a request of a web page, ends the session', async () => {
  const { child } = open();
  child.stdin.write('POST / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [code] = await new Promise<[number | null]>((resolve) => child.once('close', (...args) => resolve([args[0]])));
  expect(code).toBe(0);
});
