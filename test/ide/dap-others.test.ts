import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Sandbox } from '../support/sandbox.ts';
import { DapClient } from './dap-client.ts';
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

test(
  'a C kernel in QEMU: entry, lines, the call stack, steps',
  async () => {
    writeFileSync(join(sandbox.dir, 'kernel.elf'), kernel);
    const path = join(sandbox.dir, 'kernel.c');
    copyFileSync(new URL('guest/kernel.c', import.meta.url), path);
    const { child, ide } = open();
    await ide.ask('initialize');
    const options = { arch: 'aarch64', machine: 'virt', cpu: 'cortex-a57', kernel: 'kernel.elf' };
    await ide.ask('launch', { kind: 'qemu', options, symbols: ['kernel.elf'], stopOnEntry: true });
    await ide.event('initialized');
    const set = await ide.ask('setBreakpoints', { source: { path }, breakpoints: [{ line: 5 }] });
    expect(set.breakpoints).toMatchObject([{ verified: true, line: 5 }]);
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
    await ide.ask('stepOut', { threadId: 1 });
    await ide.event('stopped');
    expect((await ide.ask('stackTrace', { threadId: 1 })).stackFrames[0].line).toBe(11);
    const { data } = await ide.ask('readMemory', {
      memoryReference: (await ide.ask('evaluate', { expression: 'counter' })).memoryReference,
      count: 4,
    });
    expect(Buffer.from(data, 'base64').readUInt32LE(0)).toBe(0);
    await ide.ask('stepBack', { threadId: 1 });
    expect(await ide.event('output')).toMatchObject({ category: 'stderr' });
    await ide.ask('disconnect');
    child.stdin.end();
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
    const { variables } = await ide.ask('variables', { variablesReference: scopes[0].variablesReference });
    expect(variables).toContainEqual(expect.objectContaining({ name: 'EAX', value: '0x1236' }));
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
