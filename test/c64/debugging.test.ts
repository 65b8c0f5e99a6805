import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { outcomeText } from '../../src/api/outcome-text.ts';
import { Desk } from './desk.ts';

let desk: Desk;
const folder = mkdtempSync(join(tmpdir(), 'fp-debug-'));
beforeEach(async () => {
  desk = await Desk.withC64();
});
afterEach(() => desk.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stateLine = async () => outcomeText(await desk.outcome('disassemble', { count: 1 })).split('\n')[0] ?? '';

test.each(['$10000', 'c000-d000'])('a run to %s is refused at once', async (until) => {
  expect(await desk.call('run', { until })).toMatch(/is outside memory|neither an address/);
});

test('a refused write of registers changes none of them', async () => {
  const before = await desk.call('state_read', { instructions: 0 });
  for (const wrong of [{ A: '300' }, { N: 1 }]) {
    expect(await desk.call('registers_write', { values: { PC: '$c000', X: 77, ...wrong } })).toMatch(/^ERROR /);
    expect(await desk.call('state_read', { instructions: 0 })).toBe(before);
  }
});

describe('a jammed machine', () => {
  beforeEach(async () => {
    await desk.call('program_run', { source: '* = $c000\n nop\n jam\nnext inc $d020\n jmp next' });
    await desk.call('run', { frames: 2 });
    expect(await stateLine()).toMatch(/^c64-1 ERROR at \$C001 .* jammed by opcode \$02 at \$C001 \(way out: set PC/);
  });

  test('takes memory and registers; with a new PC it runs, and the jam is forgotten', async () => {
    expect(await desk.call('memory_write', { address: '$c000', bytes: 'ea' })).toMatch(/1 byte/);
    const shown = await desk.call('registers_write', { values: { A: '5' } });
    expect(shown).toContain('A=05');
    const P = Number.parseInt(/P=(\w\w)/.exec(shown)?.[1] ?? '', 16);
    expect(await desk.call('registers_write', { values: { P } })).not.toMatch(/not taken/);
    const written = { values: { p: P & ~0x31 } };
    expect(await desk.call('registers_write', written)).toMatch(/\nnot taken: bit 5, B of P, which cannot be changed$/);
    expect((await desk.data('registers_write', written)).not_taken).toEqual({ P: ['bit 5', 'B'] });
    expect(await desk.call('run', { frames: 1 })).toMatch(/Cannot run from ERROR.*"PC":"\$C002"/s);
    await desk.call('pause');
    await desk.call('registers_write', { values: { PC: 'next' } });
    expect(await stateLine()).toMatch(/^c64-1 PAUSED at \$C002 next[^·]* · stop \d+: pause · cycle/);
    expect(await desk.call('run', { frames: 1 })).toMatch(/^frames/);
  });

  test('is paused by pause, and meets the same opcode again, or what was written there', async () => {
    expect(await desk.call('pause')).toMatch(
      /Unless you change PC or the code, the same error will occur again: .*\$02 at \$C001/,
    );
    expect(await desk.call('pause')).not.toContain('again');
    expect(await stateLine()).toMatch(/^c64-1 PAUSED at \$C001 [^·]*· stop \d+: pause · cycle/);
    const again = { stop: { cause: 'fault', event: { pc: 0xc001 } }, state: 'ERROR' };
    expect(await desk.data('run', { frames: 1 })).toMatchObject(again);
    await desk.call('memory_write', { address: '$c001', bytes: 'ea' });
    await desk.call('pause');
    expect(await desk.call('run', { frames: 1 })).toMatch(/^frames/);
    expect(await stateLine()).not.toContain('jam');
  });

  test('leaves the error by an inner call, at another address if there is one', async () => {
    const caller = { client: 'test', role: 'own' as const, signal: new AbortController().signal, progress: () => {} };
    const clear = (args: Record<string, unknown>) => desk.host.call('error_clear', args, { ...caller, via: 'clear' });
    expect(outcomeText(await clear({ pc: 'next' }))).toMatch(/^c64-1 PAUSED at \$C002 next/);
    expect(await desk.call('run', { frames: 1 })).toMatch(/^frames/);
    expect(outcomeText(await clear({}))).toMatch(/There is no error: the state is PAUSED/);
  });

  test('goes back', async () => {
    await desk.call('step', { back: true });
    expect(await stateLine()).toMatch(/^c64-1 PAUSED at \$C001 /);
    await desk.call('machine_reset', { mode: 'soft' });
    expect(await desk.call('run', { frames: 1 })).toMatch(/^frames/);
  });
});

test('a run that nothing could stop says so, and one with a breakpoint does not', async () => {
  const run = (args: object = {}) => desk.call('run', { timeout_ms: 200, ...args });
  expect(await run()).toMatch(/^time limit · .* real time; no breakpoint is set, and the call had none of frames/);
  expect(await run({ until: '$c000' })).not.toContain('no breakpoint is set');
  await desk.call('breakpoint_set', { address: '$c000' });
  expect(await run()).toMatch(/^time limit · [\d.]+ s real time$/);
  await desk.call('breakpoint_delete', { id: 1, action: 'disable' });
  expect(await run()).toContain('no breakpoint is set');
});

test('a machine that was reset says so until its first instruction', async () => {
  await desk.call('machine_reset', { mode: 'soft' });
  expect(await stateLine()).toMatch(/^c64-1 RESET at /);
  await desk.call('registers_write', { values: { A: '7' } });
  expect(await stateLine()).toMatch(/^c64-1 RESET at /);
  await desk.call('step');
  expect(await stateLine()).toMatch(/^c64-1 PAUSED at \$FCE2/);
});

describe('names', () => {
  const first = 'delay = 32\n* = $c000\nold_start inc $d020\nold_loop lda delay\n jmp old_start';

  test('of a program go when another one takes its place, and not when it comes again', async () => {
    await desk.call('program_run', { source: first, start: false });
    expect(await desk.call('program_run', { source: first, start: false })).not.toMatch(/dropped/);
    const second = '* = $c000\nnew_start dec $d020\n lda $20\n jmp new_start';
    expect(await desk.call('program_run', { source: second, start: false })).toMatch(/3 names .* dropped/);
    expect(await desk.call('memory_read', { address: 'old_loop' })).toMatch(/neither an address nor a known symbol/);
    expect(await desk.call('memory_read', { address: 'new_strat' })).toMatch(
      /known symbol\. Did you mean new_start\?\nFix: Write .* or a symbol \(\d+ known\)\. symbols_load loads those of a program\./,
    );
    expect(await desk.call('disassemble', { address: '$c000', count: 3 })).not.toMatch(/old_|delay/);
  });

  test('that were loaded for the next program stay when it takes the place of the last one', async () => {
    const file = (name: string, content: string | Uint8Array) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    };
    const prg = (...bytes: number[]) => Uint8Array.of(0x00, 0xc0, ...bytes);
    const known = async (name: string) => !/neither/.test(await desk.call('memory_read', { address: name, length: 1 }));
    await desk.call('program_run', { source: first, frames: 2 });
    // Loaded since the machine last ran, so it is for what comes now.
    await desk.call('symbols_load', { path: file('labels.lbl', 'al C:c000 .follower\n') });
    await desk.call('breakpoint_set', { address: 'follower' });
    expect(await desk.call('program_run', { path: file('follower.prg', prg(0xea, 0x4c, 0, 0xc0)) })).toMatch(/3 names/);
    expect([await known('old_loop'), await known('follower')]).toEqual([false, true]);
    expect(await desk.call('run')).toMatch(/breakpoint/);
    // Of the same name as the program, whenever it was loaded.
    await desk.call('symbols_load', { path: file('third.lbl', 'al C:c000 .third\n') });
    await desk.call('breakpoint_delete', { id: 1 });
    await desk.call('run', { frames: 2 });
    expect(await desk.call('program_run', { path: file('third.prg', prg(0x4c, 0, 0xc0)) })).toMatch(/1 name .*dropped/);
    expect([await known('follower'), await known('third')]).toEqual([false, true]);
    // Of that name in another folder: they are of another program.
    mkdirSync(join(folder, 'other'), { recursive: true });
    await desk.call('run', { frames: 2 });
    const namesake = { path: file('other/third.prg', prg(0xea, 0xea, 0x4c, 0, 0xc0)) };
    expect(await desk.call('program_run', namesake)).toMatch(/1 name .*dropped/);
    expect(await known('third')).toBe(false);
    // The last program has not run either: these names may be its own.
    await desk.call('program_run', { path: file('fourth.prg', prg(0x18, 0x4c, 0, 0xc0)), start: false });
    await desk.call('symbols_load', { path: file('any.lbl', 'al C:c000 .any\n') });
    await desk.call('program_run', { path: file('fifth.prg', prg(0x38, 0x4c, 0, 0xc0)), start: false });
    expect(await known('any')).toBe(false);
  });

  test('of ROM do not reach into RAM, and the jump table has its published names', async () => {
    await desk.call('registers_write', { values: { PC: '$c000' } });
    expect(await stateLine()).toMatch(/^c64-1 PAUSED at \$C000 ·/);
    await desk.call('registers_write', { values: { PC: '$ffd2' } });
    expect(await stateLine()).toMatch(/^c64-1 PAUSED at \$FFD2 CHROUT ·/);
    await desk.call('program_run', { source: '* = $c000\n jsr $ffd2\n jsr $ffcf\n', start: false });
    expect(await desk.call('disassemble', { address: '$c000', count: 1 })).toContain('JSR CHROUT');
    // BASIC and KERNAL are switched off: RAM lies below.
    await desk.call('memory_write', { address: '$01', bytes: '34' });
    expect(await stateLine()).toMatch(/^c64-1 PAUSED at \$FFD2 ·/);
  });

  test('from files: a fork knows them, and they can be listed and unloaded', async () => {
    const path = join(folder, 'xa.lbl');
    writeFileSync(path, 'start, 0xc000, 0, 0x0000\n');
    expect(await desk.call('symbols_load', { path })).toMatch(/^1 symbol from .* \(xa\)/);
    await desk.call('snapshot_save', { name: 's' });
    await desk.call('snapshot_restore', { name: 's', into: 'other' });
    expect((await desk.data('memory_read', { machine: 'other', address: 'start' })).address).toBe(0xc000);
    const here = { machine: 'c64-1' };
    expect(await desk.call('symbols_load', here)).toBe(`${path}: 1 symbol`);
    expect(await desk.call('symbols_load', { ...here, path, unload: true })).toMatch(/^1 symbol from .* forgotten/);
    expect(await desk.call('memory_read', { ...here, address: 'start' })).toMatch(/neither an address/);
    expect(await desk.call('symbols_load', { ...here, path, unload: true })).toMatch(
      /No names are known from .*\nFix: Nothing/,
    );
    // One of another computer, perhaps: nothing of it is read.
    truncateSync(path, 900 * 1024 * 1024);
    expect(await desk.call('symbols_load', { ...here, path })).toMatch(
      /943,718,400 bytes; at most 67,108,864 are read/,
    );
  });

  test('lines of source are addresses', async () => {
    await desk.call('program_run', { source: '* = $c000\n nop\n\nloop inc $d020\n jmp loop' });
    expect(await desk.call('breakpoint_set', { address: 'source.asm:3' })).toMatch(/exec \$C001 loop \(source.asm:4\)/);
    expect(await desk.call('run', {})).toMatch(/^breakpoint 1, exec/);
  });
});

test('a stop at a watched byte says who wrote it', async () => {
  await desk.call('program_run', { source: '* = $c000\nb lda #5\n sta $02a7\nagain inc $02a7\n jmp again' });
  await desk.call('breakpoint_set', { address: '$02a7', type: 'change', condition: 'value == 7' });
  expect(await desk.call('run', {})).toMatch(
    /^breakpoint 1, change: \$02A7 written by \$C005 INC \$02A7 \(again, source.asm:4\), 06→07 · /,
  );
  const { stop } = await desk.data('run', {});
  expect(stop).toMatchObject({ event: { access: { kind: 'write', address: 0x2a7, value: 7, old: 6 } } });
});

describe('memory spaces', () => {
  test('a snapshot is compared in what the processor saw, and in every other space', async () => {
    await desk.call('memory_write', { address: '$e000', bytes: '11 22', space: 'ram' });
    await desk.call('snapshot_save', { name: 'then' });
    await desk.call('memory_write', { address: '$c000', bytes: '77' });
    await desk.call('memory_write', { address: '$d020', bytes: '05' });
    await desk.call('memory_write', { address: '$01', bytes: '35' });
    const compare = (address: string, length: number, space?: string) =>
      desk.call('memory_compare', { address, length, snapshot: 'then', ...(space && { space }) });
    expect(await compare('$c000', 256)).toMatch(/^1 of 256 bytes differ\n\$C000 {2}77 {2}/);
    // The KERNAL was there, and RAM is now.
    expect(await compare('$e000', 2)).toMatch(/\n\$E000 {2}11 {2}/);
    expect(await compare('$e000', 2, 'ram')).toMatch(/^0 of 2/);
    expect(await compare('$d020', 1, 'io')).toMatch(/\$D020 {2}F5 {2}FE/);
    expect(await desk.bytes('$c000', 1)).toBe('77');
    expect(await compare('$0', 1, 'nowhere')).toMatch(/No memory space "nowhere"/);
  });

  test('any of them is disassembled, with its own bytes and without names of another', async () => {
    await desk.call('memory_write', { address: '$ffd2', bytes: 'a9 01 60', space: 'ram' });
    const ram = await desk.call('disassemble', { address: '$ffd2', count: 2, space: 'ram' });
    expect(ram).toMatch(/^ {2}\$FFD2 {2}A9 01 {2}LDA #\$01\n {2}\$FFD4 {2}60 {5}RTS$/);
    expect(await desk.call('disassemble', { address: '$ffd2', count: 1 })).toMatch(/^CHROUT:\n {2}\$FFD2 {2}6C/);
    await desk.call('memory_write', { address: '$01', bytes: '34' });
    expect(await desk.call('disassemble', { address: '$ffd2', count: 1, space: 'rom' })).toMatch(/^ {2}\$FFD2 {2}6C/);
    expect(await desk.call('disassemble', { address: '$400', count: 1, space: 'color' })).toMatch(
      /do not fit into color/,
    );
    expect(await desk.call('disassemble', { address: '$3ff', count: 2, space: 'color' })).toMatch(/\$03FF.*\n/);
  });
});

test('what a breakpoint logs can be read, with the place and the access', async () => {
  await desk.call('program_run', { source: '* = $c000\nagain inc $02a7\n jmp again' });
  await desk.call('breakpoint_set', { address: 'again', log_only: true });
  await desk.call('breakpoint_set', { address: '$02a7', type: 'write', log_only: true });
  await desk.call('run', { frames: 2 });
  expect(await desk.call('events_read')).toMatch(/breakpoint 1 hit \d+ more times in frame/);
  const { events } = await desk.data('events_read', { types: ['breakpoint'] });
  // The very first instruction was there before the breakpoint was.
  const [written, reached] = events as readonly unknown[];
  const event = { pc: 0xc000, beam: { line: expect.any(Number) }, access: { address: 0x2a7 } };
  expect(written).toMatchObject({ type: 'breakpoint', data: { id: 2, event } });
  expect(reached).toMatchObject({
    text: 'breakpoint 1 hit at $C000 INC $02A7',
    data: { id: 1, event: { pc: 0xc000 } },
  });
});

test('where a machine is that runs on is where an instruction begins', async () => {
  await desk.call('machine_start', { kind: 'c64', name: 'free', options: { clock: 'warp' } });
  const source = '* = $c000\nagain inc $02a7,x\n jmp again';
  await desk.call('program_run', { machine: 'free', source });
  for (let tries = 0; tries < 30; tries++) {
    const { pc } = await desk.data('state_read', { machine: 'free' });
    // Interrupts lead to ROM.
    if (Number(pc) < 0xd000) expect([0xc000, 0xc003]).toContain(pc);
    await desk.call('run', { machine: 'free', timeout_ms: 7 });
  }
});

test('a search of the past for a text ends where the past begins', async () => {
  await desk.call('run', { frames: 3 });
  const answer = await desk.call('run', { screen_text: 'no such text', back: true, timeout_ms: 50_000 });
  expect(answer).toContain('the past begins here');
});
