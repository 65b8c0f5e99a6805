import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Sandbox } from '../support/sandbox.ts';
import { DapClient, named, opened } from './dap-client.ts';

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

/** Arguments on the stack and in registers, structures, arrays, blocks, and calls within calls. */
const shapes = `struct point { int x; char y; };
static int total;
int mix(char a, int b, char c) {
  int first = a;
  char name[5];
  struct point p;
  p.x = b;
  p.y = c;
  name[0] = a;
  name[1] = 0;
  { char inner = 3; first += inner; }
  while (c) { int more = 1; if (c == 2) break; c -= more; }
  return first + p.x;
}
int outer(int w) {
  long big = 70000;
  char k = 7;
  total = mix(k, mix(k, w, 4), w);
  return total + (int)big;
}
int main(void) {
  static int kept = 12;
  return outer(5) + kept;
}
`;

/** Whose code names the pointer of C's stack nowhere: all is done by routines of the library. */
const plain = `int counter;
static int add(int a, int b) {
  int sum = a + b;
  return sum;
}
int main(void) {
  int i;
  for (i = 3; i < 100; ++i) {
    counter = add(counter, i);
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
  writeFileSync(join(sandbox.dir, 'shapes.c'), shapes);
  writeFileSync(join(sandbox.dir, 'plain.c'), plain);
  for (const name of ['twice', 'shapes', 'plain']) {
    const build = ['-g', '-t', 'c64', '-Wl', `--dbgfile,${name}.dbg`, '-o', `${name}.prg`, `${name}.c`];
    const { status, stderr } = spawnSync('cl65', build, { cwd: sandbox.dir, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  }
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
    const { variablesReference } = scopes.find((each: { readonly name: string }) => each.name === 'Registers');
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
    // An IDE would take that for the end of the session.
    expect(ide.messages.filter(({ event }) => event === 'terminated')).toEqual([]);
    expect(ide.messages.filter(({ body }) => body?.reason === 'exited')).toHaveLength(1);
    expect(await ide.event('stopped')).toMatchObject({ reason: 'entry' });
    await ide.ask('terminate');
    await ide.event('terminated');
    child.stdin.end();
  },
  patience,
);

test(
  'variables of C on a C64: where cc65 says they are, in every frame, and changed there',
  async () => {
    const { child, ide } = open();
    await ide.ask('initialize');
    await ide.ask('launch', { kind: 'c64', program: 'shapes.prg', symbols: ['shapes.dbg'], pace: 'warp' });
    await ide.event('initialized');
    const source = { path: join(sandbox.dir, 'shapes.c') };
    await ide.ask('setBreakpoints', { source, breakpoints: [{ line: 13 }] });
    await ide.ask('configurationDone');
    for (const b of [5, 15]) {
      await ide.event('stopped');
      const inner = await named(ide, 1000);
      expect(inner).toMatchObject({
        a: { value: '7', type: '1 byte' },
        b: { value: `${b} (0x${b.toString(16)})`, type: '2 bytes' },
        first: { value: '10 (0xa)' },
        name: { indexedVariables: 5, value: expect.stringMatching(/^07 00 /) },
        p: { indexedVariables: 3 },
      });
      expect(await opened(ide, inner.name)).toMatchObject({ '[0]': { value: '7', evaluateName: 'name[0]' } });
      expect(await opened(ide, inner.p)).toMatchObject({ '[0]': { value: `${b}` }, '[1]': { value: '0' } });
      // The second call was made with an argument on the stack already, by way of the first.
      expect(await named(ide, 1001)).toMatchObject({
        w: { value: '5 (0x5)' },
        k: { value: '7' },
        big: { value: '70000 (0x11170)', type: '4 bytes' },
      });
      if (b === 5) await ide.ask('continue', { threadId: 1 });
    }
    expect((await ide.ask('scopes', { frameId: 1002 })).scopes).toEqual([]);
    const { scopes } = await ide.ask('scopes', { frameId: 1000 });
    const { variablesReference } = scopes[0];
    const set = (name: string, value: string) => ide.ask('setVariable', { variablesReference, name, value });
    expect(await set('first', '-2')).toMatchObject({ value: '65534 or -2 (0xfffe)' });
    await expect(set('a', '256')).rejects.toThrow('does not fit into 1 bytes');
    await expect(set('name', '1')).rejects.toThrow('is not a number');
    const assign = (expression: string, value: string, frameId = 1000) =>
      ide.ask('setExpression', { expression, value, frameId });
    expect(await assign('name[1]', "'A'")).toMatchObject({ value: "65 'A'" });
    expect(await assign('k', '$42', 1001)).toMatchObject({ value: "66 'B'" });
    expect(await assign('a', '9')).toMatchObject({ value: '9' });
    expect(await assign('$a', '0x21')).toMatchObject({ value: '0x21' });
    expect(await ide.ask('evaluate', { expression: 'a', frameId: 1000 })).toMatchObject({ result: '9' });
    expect(await assign('total', '34 12')).toMatchObject({ value: expect.stringMatching(/: 34 12$/) });
    await ide.ask('stepOut', { threadId: 1 });
    await ide.event('stopped');
    await ide.ask('setBreakpoints', { source, breakpoints: [{ line: 19 }] });
    await ide.ask('continue', { threadId: 1 });
    await ide.event('stopped');
    expect(await named(ide, 1000)).toMatchObject({ k: { value: "66 'B'" }, w: { value: '5 (0x5)' } });
    const { data } = await ide.ask('readMemory', {
      memoryReference: (await ide.ask('evaluate', { expression: '_total' })).memoryReference,
      count: 2,
    });
    // first + p.x
    expect(Buffer.from(data, 'base64').readUInt16LE(0)).toBe(13);
    await ide.ask('disconnect');
    child.stdin.end();
  },
  patience,
);

test(
  'variables are found where the code leaves the stack of C to the library',
  async () => {
    const { child, ide } = open();
    await ide.ask('initialize');
    await ide.ask('launch', { kind: 'c64', program: 'plain.prg', symbols: ['plain.dbg'], pace: 'warp' });
    await ide.event('initialized');
    const source = { path: join(sandbox.dir, 'plain.c') };
    await ide.ask('setBreakpoints', { source, breakpoints: [{ line: 4 }] });
    await ide.ask('configurationDone');
    for (const [a, b] of [
      [0, 3],
      [3, 4],
    ] as const) {
      await ide.event('stopped');
      const expected = { a: `${a}`, b: `${b}`, sum: `${a + b}` };
      const shown = await named(ide, 1000);
      for (const [name, value] of Object.entries(expected))
        expect(shown[name].value).toMatch(new RegExp(`^${value}\\b`));
      expect((await named(ide, 1001)).i.value).toMatch(new RegExp(`^${b}\\b`));
      await ide.ask('continue', { threadId: 1 });
    }
    // Below all memory: an address that can be read as a number.
    expect(await ide.ask('readMemory', { memoryReference: '0x10', offset: -32, count: 8 })).toMatchObject({
      address: '-16',
      unreadableBytes: 8,
    });
    await ide.ask('disconnect');
    child.stdin.end();
  },
  patience,
);
