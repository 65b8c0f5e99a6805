import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { makeRack, settings } from '../../../../test/make-rack.ts';
import type { Rack } from '../../../rack/rack.ts';
import { dosKind } from '../dos-kind.ts';
import { DosEngine } from './dos-engine.ts';
import { DosMachine } from './dos-machine.ts';

const never = new AbortController().signal;
const wallMs = 20_000;

/** mov ah,9 / mov dx,message / int 21h / count: inc word [0200h] / cmp word [0200h],3000 / jne count / mov ax,4C05h / int 21h */
const countingProgram = Uint8Array.from([
  ...[0xb4, 0x09, 0xba, 0x1b, 0x01, 0xcd, 0x21, 0xff, 0x06, 0x00, 0x02, 0x81, 0x3e, 0x00, 0x02, 0xb8, 0x0b],
  ...[0x75, 0xf4, 0xb8, 0x05, 0x4c, 0xcd, 0x21, 0x90, 0x90, 0x90, 0x90],
  ...new TextEncoder().encode('counting\r\n$'),
]);

let rack: Rack | undefined;
let folder = '';
afterEach(async () => {
  vi.restoreAllMocks();
  await rack?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: Record<string, unknown> = {}, environment = settings.environment): Promise<DosMachine> {
  folder = mkdtempSync(join(tmpdir(), 'fp-dos-'));
  writeFileSync(join(folder, 'COUNT.COM'), countingProgram);
  // Its time is on the screen, and so in the machine's memory.
  utimesSync(join(folder, 'COUNT.COM'), 7e8, 7e8);
  rack = makeRack([dosKind], {}, { settings: { ...settings, environment } });
  const { machine } = await rack.start('dos', { folder, ...options });
  if (!(machine instanceof DosMachine)) throw new Error('not a DOS machine');
  return machine;
}

async function screenOf(machine: DosMachine): Promise<string> {
  return (await machine.screen.text())?.lines.map((line) => line.trimEnd()).join('\n') ?? '';
}

test('it comes to its prompt, lists the folder and runs a program with its exit code', async () => {
  const machine = await start();
  expect(await screenOf(machine)).toContain('C:\\>');
  await machine.keyboard.type('dir\ncount\nif errorlevel 5 echo five or more\n', never);
  await machine.control.run({ frames: 30, wallMs }, never);
  const screen = await screenOf(machine);
  expect(screen).toMatch(/COUNT\s+COM\s+\d+/);
  expect(screen).toContain('counting');
  expect(screen).toContain('five or more');
});

test('a breakpoint on a DOS call stops with its registers; the log has it decoded', async () => {
  const machine = await start();
  const { id } = await machine.breakpoints.set({
    type: 'interrupt',
    address: 0x21n,
    length: 1,
    condition: 'ah == 9',
    logOnly: false,
    temporary: false,
  });
  await machine.keyboard.type('count\n', never);
  const { stop, state } = machine.status();
  expect([stop?.breakpoint?.id, state]).toEqual([id, 'BREAKPOINT']);
  const registers = new Map((await machine.cpu.registers()).map(({ name, value }) => [name, value]));
  expect((registers.get('EAX') ?? 0n) >> 8n).toBe(9n);
  await machine.control.run({ frames: 20, wallMs }, never);
  const { calls } = await machine.callLog.read({ from: 0, limit: 100, filter: 'int 21h ah=09' });
  expect(calls.at(-1)?.what).toContain('counting');
});

test('what ran is in the graph and the catalogue', async () => {
  const machine = await start({ commands: ['count'] });
  await machine.control.run({ frames: 30, wallMs }, never);
  const { blocks } = await machine.graph.read();
  const loop = [...blocks.values()].find(({ instructions }) => instructions()[0]?.text.startsWith('inc word'));
  expect(loop?.executions).toBe(3000);
});

test('code of a program whose place another has taken is none of that one', async () => {
  // call 108; call 10A; int 20; 108: inc bp; ret; 10A: mov [0200],bp; ret, and: call 109; int 20; 109: nop; nop; ret
  const first = Uint8Array.of(0xe8, 5, 0, 0xe8, 4, 0, 0xcd, 0x20, 0x45, 0xc3, 0x89, 0x2e, 0, 2, 0xc3);
  const second = Uint8Array.of(0xe8, 6, 0, 0xcd, 0x20, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xc3);
  const machine = await start();
  const put = (name: string, bytes: Uint8Array) => machine.program.load({ name, bytes, format: 'com' }, true, never);
  const own = async () => {
    const places = [...(await machine.functions.list())].map(({ where }) => where);
    const { blocks } = await machine.graph.read();
    const references = await machine.graph.dataReferences(0x46b0n + 0x200n);
    return {
      functions: places.filter((where) => where.startsWith('046B:')).sort(),
      blocks: [...blocks.values()].filter(({ where }) => /^046B:010[8-B]/.test(where)).map(({ where }) => where),
      references: references.filter(({ instruction }) => instruction.where === '046B:010A').length,
      ways: [...blocks.values()].flatMap(({ edges }) => edges.map(({ to }) => blocks.has(to))),
    };
  };
  await put('FIRST.COM', first);
  const before = await own();
  expect(before).toMatchObject({
    functions: ['046B:0100', '046B:0108', '046B:010A'],
    blocks: ['046B:0108', '046B:010A'],
    references: 1,
  });
  await put('SECOND.COM', second);
  const after = await own();
  expect(after).toMatchObject({
    functions: ['046B:0100', '046B:0109'],
    blocks: ['046B:0109'],
    references: 0,
  });
  expect(after.ways).not.toContain(false);
  // Loaded again as it was it keeps what is known of it.
  const again = await machine.graph.read();
  await put('SECOND.COM', second);
  const runs = ({ blocks }: typeof again) =>
    [...blocks.values()].find(({ where }) => where === '046B:0109')?.executions;
  expect([runs(again), runs(await machine.graph.read())]).toEqual([1, 2]);
});

test('steps and runs lead back to exactly what was', async () => {
  const machine = await start();
  const before = machine.control.system.board.snapshot();
  await machine.keyboard.type('count\n', never);
  const after = machine.control.system.board.snapshot();
  const passed = machine.control.now;
  await machine.control.step({ kind: 'into', count: 1000, back: false, wallMs }, never);
  await machine.control.step({ kind: 'into', count: 1000, back: true, wallMs }, never);
  expect(Buffer.compare(machine.control.system.board.snapshot(), after)).toBe(0);
  await machine.control.run({ cycles: passed - 4_000_010, back: true, wallMs }, never);
  expect(machine.control.now).toBeLessThanOrEqual(4_000_010);
  await machine.control.run({ cycles: 4_000_010 - machine.control.now || 1, wallMs }, never);
  expect(before.length).toBe(after.length);
});

test('a program that was assembled keeps its labels on the way back, and has them again when it is run again', async () => {
  const machine = await start();
  const { symbols } = machine.addresses;
  const load = async (name: string, text: string) =>
    machine.program.load({ format: 'asm', bytes: Buffer.from(text), name }, true, never);
  await load('loop.asm', 'mov cx,9\nnext: loop next\nwait: mov ah,0\nint 16h\nret');
  const next = symbols.address('next');
  await machine.control.step({ kind: 'into', count: 3, back: true, wallMs }, never);
  expect([symbols.address('next'), next]).toEqual([0x47b3n, 0x47b3n]);
  await machine.keyboard.type(' ', never);
  await load('other.asm', 'nop\nlast: ret');
  expect([symbols.address('next'), symbols.address('last')]).toEqual([undefined, 0x47b1n]);
  await machine.keyboard.type('loop\n', never);
  expect([symbols.address('next'), symbols.address('last')]).toEqual([0x47b3n, undefined]);
});

test('what a breakpoint did to the machine is done again on the way back, once', async () => {
  const machine = await start();
  const at = (address: bigint) => ({ address, length: 1, logOnly: false, temporary: false });
  await machine.breakpoints.set({ ...at(0n), type: 'program', temporary: true });
  await machine.keyboard.type('count\n', never);
  const first = machine.names.program?.first ?? 0n;
  const set = [`word[0x${(first + 0x200n).toString(16)}]=2000`];
  const condition = `word[0x${(first + 0x200n).toString(16)}]==1000`;
  await machine.breakpoints.set({ ...at(first + 0x107n), type: 'exec', logOnly: true, set, condition, snapshot: true });
  const { id } = await machine.breakpoints.set({ ...at(first + 0x113n), type: 'exec' });
  const counted = async () => (await machine.graph.read()).blocks;
  await machine.control.run({ frames: 30, wallMs }, never);
  expect(machine.status().stop?.breakpoint?.id).toBe(id);
  const loop = [...(await counted()).values()].find(({ instructions }) =>
    instructions()[0]?.text.startsWith('inc word'),
  );
  expect(loop?.executions).toBe(2000);
  expect((await machine.snapshots.list()).map(({ name }) => name)).toEqual(['breakpoint-2-hit-1']);
  const before = machine.control.system.board.snapshot();
  await machine.control.run({ cycles: 4500, back: true, wallMs }, never);
  expect((await machine.memory.peek('cpu', first + 0x200n, 2))[1]).toBeLessThan(1000 >> 8);
  await machine.control.run({ frames: 30, wallMs }, never);
  expect(Buffer.compare(machine.control.system.board.snapshot(), before)).toBe(0);
  expect(machine.status().stop?.breakpoint?.id).toBe(id);
});

test('breakpoints that are kept with a program are there before its first instruction', async () => {
  const state = mkdtempSync(join(tmpdir(), 'fp-state-'));
  const environment = { XDG_STATE_HOME: state };
  const spec = { length: 1, logOnly: false, temporary: false, keep: true };
  try {
    const machine = await start({}, environment);
    await expect(machine.breakpoints.set({ ...spec, type: 'exec', address: 0n })).rejects.toThrow(
      'No program is loaded',
    );
    const once = { ...spec, type: 'program', address: 0n, keep: false, temporary: true };
    await machine.breakpoints.set(once);
    await machine.keyboard.type('count\n', never);
    const first = machine.names.program?.first ?? 0n;
    await machine.names.set(first + 0x107n, { name: 'count' });
    await machine.breakpoints.set({ ...spec, type: 'exec', address: first + 0x100n, log: 'count', set: ['dx=dx+1'] });
    await machine.breakpoints.set({ ...spec, type: 'interrupt', address: 0x21n, condition: 'ah==0x4c' });
    await machine.breakpoints.set({ ...spec, type: 'exec', address: first + 0x107n });
    await expect(machine.breakpoints.change(2, { temporary: true })).rejects.toThrow('is not kept');
    await machine.breakpoints.change(3, { enabled: false });
    await machine.breakpoints.delete(4);
    await rack?.close();
    // Nothing is set before the program is there.
    const other = await start({}, environment);
    expect(await other.breakpoints.list()).toEqual([]);
    await other.keyboard.type('count\n', never);
    const { stop, now } = other.status();
    expect(stop?.breakpoint).toMatchObject({ type: 'exec', logged: (other.names.program?.first ?? 0n) + 0x107n });
    expect(now?.pc).toBe((other.names.program?.first ?? 0n) + 0x100n);
    expect(await other.breakpoints.list()).toMatchObject([
      { type: 'exec', keep: true, hits: 1, set: ['dx=dx+1'] },
      { type: 'interrupt', address: 0x21n, enabled: false, condition: 'ah==0x4c' },
    ]);
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
});

test('the same inputs at the same moments give the same machine, through snapshots too', async () => {
  const play = async (machine: DosMachine, cut: boolean) => {
    await machine.keyboard.type('echo one\n', never);
    if (cut) {
      await machine.snapshots.save('middle');
      await machine.keyboard.type('dir /w\n', never);
      await machine.snapshots.restore('middle');
    }
    await machine.keyboard.type('count\ndir\n', never);
    await machine.control.run({ frames: 50, wallMs }, never);
    return Buffer.from(machine.control.system.board.snapshot());
  };
  const first = await play(await start(), false);
  await rack?.close();
  expect((await play(await start(), true)).equals(first)).toBe(true);
});

test('COM1 is a console both ways', async () => {
  const machine = await start();
  const [port] = machine.console.ports;
  await machine.keyboard.type('echo over the wire > com1\n', never);
  await machine.control.run({ frames: 20, wallMs }, never);
  await expect.poll(() => new TextDecoder().decode(port?.output.read(0, 100).bytes)).toContain('over the wire');
});

test('a beep of the speaker can be heard', async () => {
  // mov al,3 / out 61h,al / jmp $
  const machine = await start();
  const bytes = Uint8Array.from([0xb0, 0x03, 0xe6, 0x61, 0xeb, 0xfe]);
  await machine.program.load({ format: 'com', bytes, name: 'beep.com' }, true, never);
  const { samples, sampleRate } = await machine.audio.capture(14, wallMs, never);
  expect([sampleRate, Math.abs(samples.length - 44_100 / 5) < 800]).toEqual([44_100, true]);
  const crossings = samples.filter((sample, index) => index > 0 && sample > 0 !== (samples[index - 1] ?? 0) > 0).length;
  // The BIOS leaves counter 2 at 1331: 896 Hz, and two crossings a period.
  expect(crossings / (samples.length / sampleRate)).toBeGreaterThan(1500);
});

test('its tables can be looked at, and the printer writes a file', async () => {
  const paper = join(mkdtempSync(join(tmpdir(), 'fp-paper-')), 'paper.txt');
  const machine = await start({ printer: paper });
  await machine.keyboard.type('echo on paper > lpt1\n', never);
  await machine.control.run({ frames: 20, wallMs }, never);
  await expect.poll(() => readFileSync(paper, 'latin1')).toContain('on paper');
  const dos = machine.chips.chips.find(({ name }) => name === 'dos');
  const part = async (name: string) => (await dos?.read(name, 0))?.lines.join('\n');
  expect(await part('memory')).toMatch(/bytes, free/);
  expect(await part('environment')).toContain('COMSPEC=');
  expect(await part('files')).toMatch(/CON device/);
  expect(await part('vectors')).toMatch(/^21h /m);
  rmSync(join(paper, '..'), { recursive: true });
});

test('a serial mouse says its letter when it is fed, then three bytes a movement', async () => {
  const machine = await start({ mouse: 'serial' });
  const { ports } = machine.control.system.board;
  expect(machine.console.ports).toHaveLength(1);
  ports.write8(0x2fc, 0);
  ports.write8(0x2fc, 3);
  const next = async () => {
    await machine.control.run({ frames: 3, wallMs }, never);
    return ports.read8(0x2f8);
  };
  expect(await next()).toBe(0x4d);
  await machine.mouse.moveBy(5, -3);
  expect([await next(), await next(), await next()]).toEqual([0x4c, 5, 0x3d]);
});

test('a hard disk is booted, and written through when asked', async () => {
  const image = new Uint8Array(64 * 512);
  // mov ax,0301h / mov cx,2 / mov dx,0080h / mov bx,7C00h / int 13h / mov ax,0E21h / int 10h / jmp $
  const code = [
    0xb8, 1, 3, 0xb9, 2, 0, 0xba, 0x80, 0, 0xbb, 0, 0x7c, 0xcd, 0x13, 0xb8, 0x21, 0x0e, 0xcd, 0x10, 0xeb, 0xfe,
  ];
  image.set(code);
  image.set([0x55, 0xaa], 510);
  const disk = join(mkdtempSync(join(tmpdir(), 'fp-hd-')), 'disk.img');
  for (const write of [false, true]) {
    writeFileSync(disk, image);
    const machine = await start({ hard_disk: disk, boot: 'disk', write });
    expect(await screenOf(machine)).toContain('!');
    expect(machine.control.system.disks.get(0x80)?.read(1).slice(0, code.length)).toEqual(Uint8Array.from(code));
    await rack?.close();
    expect(readFileSync(disk)[512] === 0xb8).toBe(write);
  }
  rmSync(join(disk, '..'), { recursive: true });
});

test('a program that this computer runs slowly is answered for before the call is given up', async () => {
  const machine = await start();
  let late = 0;
  const [now, run] = [performance.now.bind(performance), DosEngine.prototype.run];
  vi.spyOn(performance, 'now').mockImplementation(() => now() + late);
  vi.spyOn(DosEngine.prototype, 'run').mockImplementation(async function (this: DosEngine, limits, signal) {
    const stop = await run.call(this, limits, signal);
    if (!this.system.shell.isAtPrompt) late += 4000;
    return stop;
  });
  const bytes = Uint8Array.of(0xeb, 0xfe);
  const { started, notes } = await machine.program.load({ format: 'com', bytes, name: 'loop.com' }, true, never);
  expect(started).toBe(true);
  expect(notes.at(-1)).toBe('it runs, slowly on this computer: after 15 s it is in its first 20 frames');
  expect(late).toBeLessThan(55_000);
});

test('what could be typed is told before the call is given up', async () => {
  const machine = await start();
  let late = 0;
  const [now, run] = [performance.now.bind(performance), DosEngine.prototype.run];
  vi.spyOn(performance, 'now').mockImplementation(() => now() + late);
  vi.spyOn(DosEngine.prototype, 'run').mockImplementation(async function (this: DosEngine, limits, signal) {
    const stop = await run.call(this, limits, signal);
    late += 4000;
    return stop;
  });
  await expect(machine.keyboard.type('echo one two three', never)).rejects.toMatchObject({
    message: expect.stringMatching(/^The program takes keys slowly: [45] of 18 characters were typed in 40 s\.$/),
    type: 'LIMIT_REACHED',
  });
  expect(late).toBeLessThan(55_000);
});

test('a source that begins with the header of an EXE becomes one', async () => {
  const machine = await start();
  const bytes = readFileSync(new URL('../../../../examples/dos/segments.asm', import.meta.url));
  const { notes } = await machine.program.load({ format: 'asm', bytes, name: 'segments.asm' }, true, never);
  expect(notes).toEqual(['3200 bytes as C:\\SEGMENTS.EXE', 'it ended with exit code 42: DOS is at its prompt']);
  expect(await screenOf(machine)).toContain('four segments\nthe table is right');
});

test.for(['80386', '486'])('a source is assembled for the processor it is to run on: %s', async (cpu) => {
  const machine = await start({ cpu });
  const bytes = new TextEncoder().encode('mov eax, 12345678h\nbswap eax\nmov [0200h], eax\nint 20h');
  const load = machine.program.load({ format: 'asm', bytes, name: 'swap.asm' }, true, never);
  if (cpu === '80386') {
    await expect(load).rejects.toThrow('line 2: bswap needs a 486: start a machine with "cpu":"486".');
    return;
  }
  await load;
  const { cpu: processor } = machine.control.system.board;
  expect([0, 1, 2, 3].map((at) => processor.peek(0x48b0 + at))).toEqual([0x12, 0x34, 0x56, 0x78]);
});

test('a program that has run another has its own names again', async () => {
  const state = mkdtempSync(join(tmpdir(), 'fp-dos-names-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const machine = await start({}, { XDG_STATE_HOME: state });
  const load = (name: string, text: string) =>
    machine.program.load({ format: 'asm', bytes: Buffer.from(text), name }, true, never);
  await load('child.asm', 'mov ah,0\nint 16h\nint 20h');
  await machine.keyboard.type('x', never);
  // Gives memory back, runs the child and waits.
  const parent = `mov bx,100h
    mov ah,4ah
    int 21h
    mov [block+4],cs
    mov [block+8],cs
    mov [block+12],cs
    mov ah,0
    int 16h
    mov sp,0ffeh
    mov ax,4b00h
    mov dx,name
    mov bx,block
    int 21h
    mov ah,0
    int 16h
    int 20h
  name db 'C:\\CHILD.COM',0
  block dw 0, 80h, 0, 5ch, 0, 6ch, 0`;
  await load('parent.asm', parent);
  const first = machine.names.program?.first ?? 0n;
  await machine.names.set(first + 0x103n, { name: 'mine' });
  await machine.keyboard.type('a', never);
  expect([machine.names.program?.name, machine.addresses.symbols.address('mine')]).toEqual(['CHILD.COM', undefined]);
  await machine.keyboard.type('b', never);
  await vi.waitUntil(() => machine.addresses.symbols.address('mine') !== undefined);
  expect(machine.names.program?.name).toBe('PARENT.COM');
});
