import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Sandbox } from '../support/sandbox.ts';
import { DapClient } from './dap-client.ts';

const source = `unsigned char count;
unsigned char seen;

unsigned char twice(unsigned char value) {
  seen = value;
  return value + value;
}

int main(void) {
  count = 1;
  while (count < 100) {
    count = twice(count);
    ++count;
  }
  return 0;
}
`;

const patience = 120_000;
let sandbox: Sandbox;
let path: string;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  path = join(sandbox.dir, 'twice.c');
  writeFileSync(path, source);
  const build = ['-g', '-t', 'c64', '-Wl', '--dbgfile,twice.dbg', '-o', 'twice.prg', 'twice.c'];
  const { status, stderr } = spawnSync('cl65', build, { cwd: sandbox.dir, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
}, patience);
afterAll(() => sandbox[Symbol.asyncDispose]());

const launch = { kind: 'c64', program: 'twice.prg', symbols: ['twice.dbg'], pace: 'warp' };
const lines = (...wanted: Record<string, unknown>[]) => ({ source: { path }, breakpoints: wanted });

function open() {
  const child = sandbox.spawn(['dap']);
  return { child, ide: DapClient.over(child.stdout, child.stdin) };
}

async function top(ide: DapClient, threadId = 1) {
  const { stackFrames } = await ide.ask('stackTrace', { threadId });
  return stackFrames[0];
}

test(
  'a C program on a C64: lines, functions, steps in, over, out and back, memory, code and registers',
  async () => {
    const { child, ide } = open();
    expect(await ide.ask('initialize', { adapterID: 'frontpanel' })).toMatchObject({ supportsStepBack: true });
    await ide.ask('launch', launch);
    await ide.event('initialized');
    const set = await ide.ask('setBreakpoints', lines({ line: 10 }));
    expect(set.breakpoints).toMatchObject([{ verified: true, line: 10, source: { path } }]);
    await ide.ask('configurationDone');
    expect(await ide.event('stopped')).toMatchObject({ reason: 'breakpoint', threadId: 1, hitBreakpointIds: [1] });
    expect((await ide.ask('threads')).threads).toEqual([{ id: 1, name: 'c64-1' }]);
    expect(await top(ide)).toMatchObject({
      line: 10,
      source: { name: 'twice.c', path },
      name: expect.stringMatching(/main/),
    });

    await ide.ask('next', { threadId: 1 });
    expect(await ide.event('stopped')).toMatchObject({ reason: 'step' });
    expect(await top(ide)).toMatchObject({ line: 11 });
    await ide.ask('setBreakpoints', lines({ line: 12 }));
    await ide.ask('continue', { threadId: 1 });
    await ide.event('stopped');
    expect(await top(ide)).toMatchObject({ line: 12 });

    await ide.ask('stepIn', { threadId: 1 });
    await ide.event('stopped');
    expect(await top(ide)).toMatchObject({ line: expect.toSatisfy((line: number) => line === 4 || line === 5) });
    const { stackFrames } = await ide.ask('stackTrace', { threadId: 1 });
    expect(stackFrames[1]).toMatchObject({ line: 12, source: { path } });
    await ide.ask('stepOut', { threadId: 1 });
    await ide.event('stopped');
    expect(await top(ide)).toMatchObject({ line: 12 });
    await ide.ask('next', { threadId: 1 });
    await ide.event('stopped');
    expect(await top(ide)).toMatchObject({ line: 13 });
    await ide.ask('stepBack', { threadId: 1 });
    await ide.event('stopped');
    expect((await top(ide)).line).toBeLessThan(13);

    const watch = await ide.ask('evaluate', { expression: '_count', context: 'watch' });
    expect(watch.result).toMatch(/^0x[0-9a-f]+: 01 /);
    const { data } = await ide.ask('readMemory', { memoryReference: watch.memoryReference, count: 1 });
    expect(Buffer.from(data, 'base64')[0]).toBe(1);
    await ide.ask('writeMemory', { memoryReference: watch.memoryReference, data: Buffer.of(40).toString('base64') });
    expect((await ide.ask('evaluate', { expression: '_count' })).result).toContain('(40,');
    expect((await ide.ask('evaluate', { expression: 'state_read', context: 'repl' })).result).toContain('c64-1');

    const pointer = (await top(ide)).instructionPointerReference;
    const { instructions } = await ide.ask('disassemble', {
      ...{ memoryReference: pointer, instructionOffset: -4, instructionCount: 8 },
    });
    expect(instructions).toHaveLength(8);
    expect(instructions[4]).toMatchObject({
      address: pointer,
      instructionBytes: expect.stringMatching(/^[0-9a-f]{2,6}$/),
    });

    const { scopes } = await ide.ask('scopes', { frameId: 1000 });
    const [{ variablesReference }] = scopes;
    await ide.ask('setVariable', { variablesReference, name: 'Y', value: '0x5a' });
    const { variables } = await ide.ask('variables', { variablesReference });
    expect(variables).toContainEqual(expect.objectContaining({ name: 'Y', value: '0x5a' }));

    await ide.ask('setBreakpoints', lines());
    const info = await ide.ask('dataBreakpointInfo', { name: '_seen' });
    expect(info.accessTypes).toEqual(['read', 'write', 'readWrite']);
    await ide.ask('setDataBreakpoints', { breakpoints: [{ dataId: info.dataId, accessType: 'write' }] });
    await ide.ask('continue', { threadId: 1 });
    expect(await ide.event('stopped')).toMatchObject({ reason: 'data breakpoint' });
    await ide.ask('reverseContinue', { threadId: 1 });
    await ide.event('stopped');
    await ide.ask('setDataBreakpoints', { breakpoints: [] });
    await ide.ask('disconnect');
    child.stdin.end();
  },
  patience,
);

test(
  'functions, conditions, counts and log points; restart; what cannot be set says why',
  async () => {
    const { child, ide } = open();
    await ide.ask('initialize');
    await ide.ask('launch', { ...launch, stopOnEntry: true });
    await ide.event('initialized');
    await ide.ask('configurationDone');
    expect(await ide.event('stopped')).toMatchObject({ reason: 'entry' });
    const unknown = await ide.ask('setBreakpoints', {
      source: { path: '/nowhere/other.c' },
      breakpoints: [{ line: 3 }],
    });
    expect(unknown.breakpoints).toMatchObject([{ verified: false, message: expect.stringContaining('other.c') }]);
    const wrong = await ide.ask('setBreakpoints', lines({ line: 6, hitCondition: 'often' }));
    expect(wrong.breakpoints[0]).toMatchObject({ verified: false, message: expect.stringContaining('often') });

    await ide.ask('setBreakpoints', lines({ line: 5, logMessage: 'twice({A}) at {PC}' }));
    const [bound] = (await ide.ask('setFunctionBreakpoints', { breakpoints: [{ name: '_twice', hitCondition: '3' }] }))
      .breakpoints;
    expect(bound).toMatchObject({ verified: true, line: expect.any(Number) });
    await ide.ask('continue', { threadId: 1 });
    expect(await ide.event('stopped')).toMatchObject({ reason: 'function breakpoint', hitBreakpointIds: [bound.id] });
    const told = ide.messages.filter(({ event }) => event === 'output').map(({ body }) => body.output);
    expect(told).toHaveLength(2);
    expect(told[0]).toMatch(/^twice\(\d+\) at \d+\n$/);

    await ide.ask('setFunctionBreakpoints', { breakpoints: [] });
    await ide.ask('setBreakpoints', lines({ line: 13, condition: `byte[_seen] == 15` }));
    await ide.ask('continue', { threadId: 1 });
    expect(await ide.event('stopped')).toMatchObject({ reason: 'breakpoint' });
    expect((await ide.ask('evaluate', { expression: '_seen' })).result).toContain('(15,');

    await ide.ask('setBreakpoints', lines());
    const { instructionPointerReference } = await top(ide);
    await ide.ask('setInstructionBreakpoints', {
      breakpoints: [{ instructionReference: instructionPointerReference }],
    });
    await ide.ask('continue', { threadId: 1 });
    expect(await ide.event('stopped')).toMatchObject({ reason: 'instruction breakpoint' });

    await ide.ask('restart');
    expect(await ide.event('stopped')).toMatchObject({ reason: 'entry' });
    await ide.ask('terminate');
    await ide.event('terminated');
    child.stdin.end();
  },
  patience,
);
