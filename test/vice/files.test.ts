import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenise } from '../../src/formats/commodore/basic/tokenise.ts';
import { CommodoreDisk } from '../../src/formats/commodore/media/commodore-disk.ts';
import { ViceDesk, ways } from './desk.ts';
import { plainCartridge } from './plain-cartridge.ts';

describe.for(ways)('over %s', (way) => {
  let desk: ViceDesk;
  const file = (name: string) => join(desk.sandbox.dir, name);
  beforeAll(async () => {
    desk = await ViceDesk.open(way);
    await writeFile(file('a.d64'), CommodoreDisk.create('d64').image.bytes);
    await writeFile(file('a.crt'), plainCartridge());
    await writeFile(file('a.tap'), tape());
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  test('vice.files.autostart: resets, loads and runs, from a file or a disk', async () => {
    // 10 SYS 2061, then INC $D020, JMP $080D
    const basic = [0x0b, 8, 10, 0, 0x9e, 0x32, 0x30, 0x36, 0x31, 0, 0, 0];
    const program = [1, 8, ...basic, 0xee, 0x20, 0xd0, 0x4c, 0x0d, 8];
    await writeFile(file('bars.prg'), Uint8Array.from(program));
    await desk.load(0xc000, [0x78, 0x4c, 1, 0xc0]);
    expect(await desk.call('vice.files.autostart', { path: file('bars.prg') })).toMatchObject({
      started: true,
      load_address: '$0801',
      end_address: '$0812',
      execution_state: 'RUNNING',
    });
    await expect
      .poll(async () => Number.parseInt((await desk.call('vice.execution.get_state')).pc.slice(1), 16), {
        timeout: 60_000,
      })
      .toBeLessThan(0x0813);
    expect(await desk.call('vice.files.autostart', { path: file('bars.prg'), run: false })).toMatchObject({
      started: false,
    });
    expect((await desk.call('vice.memory.read', { address: '$080D', size: 3 })).data).toEqual([0xee, 0x20, 0xd0]);
    // BASIC has started before the program came, and knows its end.
    expect((await desk.call('vice.memory.read', { address: '$0801', size: 2 })).data).toEqual([0x0b, 8]);
    expect((await desk.call('vice.memory.read', { address: '$2D', size: 2 })).data).toEqual([0x13, 8]);
    expect((await desk.refusal('vice.files.autostart', { path: file('missing.prg') })).code).toBe(-32602);
  });

  test('vice.files.autostart: machine code starts on a system that has started, also of a machine that was paused', async () => {
    // JMP $C000
    await writeFile(file('code.prg'), Uint8Array.from([0, 0xc0, 0x4c, 0, 0xc0]));
    await desk.call('vice.execution.pause');
    expect(await desk.call('vice.files.autostart', { path: file('code.prg') })).toMatchObject({
      started: true,
      start_address: '$C000',
      execution_state: 'RUNNING',
    });
    const { data } = await desk.call('vice.memory.read', { address: '$0314', size: 2 });
    expect(data[1]).toBeGreaterThanOrEqual(0xe0);
  });

  test('vice.files.autostart: breakpoints wait for the program, not for the start of the system', async () => {
    // LDX #1, STX $C100, JMP $C000
    await writeFile(file('write.prg'), Uint8Array.from([0, 0xc0, 0xa2, 1, 0x8e, 0, 0xc1, 0x4c, 0, 0xc0]));
    await desk.call('vice.execution.pause');
    const { breakpoint_id: line } = await desk.call('vice.breakpoints.raster', { line: 100 });
    await desk.call('vice.breakpoints.toggle', { breakpoint_id: line, enabled: false });
    const { breakpoint_id: met } = await desk.call('vice.breakpoints.raster', { line: 101 });
    expect(await desk.call('vice.files.autostart', { path: file('write.prg') })).toMatchObject({ started: true });
    expect(await desk.reaches('BREAKPOINT')).toMatchObject({ breakpoint_id: met, raster_line: 101 });
    expect((await desk.call('vice.breakpoints.list')).breakpoints).toMatchObject([
      { breakpoint_id: line, enabled: false },
      { breakpoint_id: met, enabled: true, hits: 1 },
    ]);
    for (const breakpoint_id of [line, met]) await desk.call('vice.breakpoints.delete', { breakpoint_id });
    await desk.call('vice.execution.step');
  });

  test('vice.files.autostart: a breakpoint that the start of the system would meet does not swallow RUN', async () => {
    // 10 SYS 2061, then SEI, JMP $080E
    const basic = [0x0b, 8, 10, 0, 0x9e, 0x32, 0x30, 0x36, 0x31, 0, 0, 0];
    await writeFile(file('spin.prg'), Uint8Array.from([1, 8, ...basic, 0x78, 0x4c, 0x0e, 8]));
    const { breakpoint_id: line } = await desk.call('vice.breakpoints.raster', { line: 100 });
    const { breakpoint_id: code } = await desk.call('vice.breakpoints.set', { address: '$080E' });
    const answer = await desk.call('vice.files.autostart', { path: file('spin.prg') });
    expect(answer).toMatchObject({ started: true, execution_state: 'BREAKPOINT' });
    await desk.call('vice.breakpoints.delete', { breakpoint_id: line });
    if (answer.breakpoint_id === line) await desk.call('vice.execution.run');
    expect(await desk.reaches('BREAKPOINT')).toMatchObject({ breakpoint_id: code, pc: '$080E' });
    await desk.call('vice.breakpoints.delete', { breakpoint_id: code });
    await desk.call('vice.execution.step');
  });

  test('vice.files.autostart: a file that is not what its name says is refused with that reason', async () => {
    await writeFile(file('short.d64'), Buffer.alloc(100));
    expect(await desk.refusal('vice.files.autostart', { path: file('short.d64') })).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/short\.d64 is not a D64 image: its size of 100 bytes is wrong\./),
    });
  });

  test('vice.files.autostart: what cannot be loaded leaves the machine as it is', async () => {
    await writeFile(file('notes.py'), 'print(1)');
    await writeFile(file('broken.asm'), '* = $c000\n lda nowhere\n');
    await desk.load(0xc000, [0x4c, 0, 0xc0]);
    for (const name of ['notes.py', 'broken.asm']) {
      expect((await desk.refusal('vice.files.autostart', { path: file(name) })).code).toBe(-32602);
      expect(await desk.call('vice.execution.get_state')).toMatchObject({ state: 'PAUSED', pc: '$C000' });
    }
  });

  test('vice.files.autostart: any program of a disk, on a machine that is busy or jammed; what failed is told', async () => {
    const disk = CommodoreDisk.create('d64');
    const basic = (text: string) => tokenise(text, { letters: 'upper' }).bytes;
    disk.write('BROKEN', basic('10 PRONT\n'));
    disk.write('GOOD', basic('10 POKE 49152,42\n20 GOTO 20\n'));
    await writeFile(file('two.d64'), disk.image.bytes);
    await desk.load(0xc000, [0x02]);
    await desk.call('vice.execution.run');
    await desk.reaches('ERROR');
    expect(await desk.call('vice.files.autostart', { path: file('two.d64'), index: 1 })).toMatchObject({
      started: true,
      execution_state: 'RUNNING',
    });
    expect((await desk.call('vice.memory.read', { address: '$C000', size: 1 })).data).toEqual([42]);
    expect(await desk.call('vice.files.autostart', { path: file('two.d64') })).toMatchObject({
      started: false,
      notes: expect.arrayContaining([expect.stringContaining('?SYNTAX ERROR IN 10')]),
    });
    expect((await desk.refusal('vice.files.autostart', { path: file('two.d64'), index: 2 })).code).toBe(-32602);
  });

  test('vice.files.attach_disk: into any of four drives', async () => {
    for (const unit of [8, 11]) {
      expect(await desk.call('vice.files.attach_disk', { unit, path: file('a.d64') })).toMatchObject({
        unit,
        contents: expect.stringContaining('664 blocks free'),
      });
    }
    expect((await desk.refusal('vice.files.attach_disk', { unit: 7, path: file('a.d64') })).code).toBe(-32602);
    expect((await desk.refusal('vice.files.attach_disk', { path: '/etc/passwd' })).code).toBe(-32600);
  });

  test('vice.files.attach_disk, attach_tape, attach_cartridge: what belongs elsewhere is refused with the tool for it', async () => {
    await writeFile(file('code.prg'), Uint8Array.from([0, 0xc0, 0x60]));
    const wrong = [
      ['attach_disk', 'a.crt', 'Insert it with vice.files.attach_cartridge.'],
      ['attach_disk', 'a.tap', 'Insert it with vice.files.attach_tape.'],
      ['attach_tape', 'a.d64', 'Insert it with vice.files.attach_disk.'],
      ['attach_cartridge', 'a.d64', 'Insert it with vice.files.attach_disk.'],
      ['attach_tape', 'code.prg', 'Programs (PRG, P00, T64) are started with vice.files.autostart.'],
    ];
    for (const [tool, name = '', suggested_fix] of wrong) {
      expect(await desk.refusal(`vice.files.${tool}`, { path: file(name) }), `${tool} ${name}`).toMatchObject({
        code: -32602,
        data: { suggested_fix },
      });
    }
  });

  test('vice.files.attach_tape: into the datasette', async () => {
    expect(await desk.call('vice.files.attach_tape', { path: file('a.tap') })).toMatchObject({
      contents: expect.stringContaining('tape of'),
    });
  });

  test('vice.files.detach, attach_disk: what was written and not saved is asked about', async () => {
    await desk.call('vice.files.attach_disk', { unit: 11, path: file('a.d64') });
    expect(await desk.call('vice.files.detach', { device: 11 })).toMatchObject({ detached: true });
    expect((await desk.refusal('vice.files.detach', { device: 'toaster' })).code).toBe(-32602);
    await desk.call('vice.files.attach_disk', { path: file('a.d64') });
    // OPEN 15,8,15,"N:X,Y" by KERNAL calls: SETLFS, SETNAM, OPEN.
    const name = [...'N:X,Y'].map((letter) => letter.charCodeAt(0));
    await desk.load(0xc000, [
      ...[0xa9, 15, 0xa2, 8, 0xa0, 15, 0x20, 0xba, 0xff],
      ...[0xa9, name.length, 0xa2, 0x40, 0xa0, 0xc0, 0x20, 0xbd, 0xff],
      ...[0x20, 0xc0, 0xff, 0xa9, 15, 0x20, 0xc3, 0xff, 0x4c, 0x1a, 0xc0],
    ]);
    await desk.call('vice.memory.write', { address: '$C040', data: name });
    const { breakpoint_id } = await desk.call('vice.breakpoints.set', { address: '$C01A' });
    await desk.call('vice.execution.run');
    await desk.reaches('BREAKPOINT');
    await desk.call('vice.breakpoints.delete', { breakpoint_id });
    const attach = { unit: 8, path: file('a.d64') };
    expect(await desk.confirmed('vice.files.attach_disk', attach)).toMatchObject({ unit: 8 });
    // Nothing was written to the new one.
    expect(await desk.call('vice.files.attach_disk', attach)).toMatchObject({ unit: 8 });
  });

  test('vice.files.attach_cartridge: plugged in, and the machine starts with it', async () => {
    await desk.call('vice.files.attach_cartridge', { path: file('a.crt') });
    await expect
      .poll(async () => (await desk.call('vice.memory.read', { address: '$8000', size: 2 })).data, { timeout: 60_000 })
      .toEqual([9, 0x80]);
    const read = await desk.call('vice.memory.read', { address: 0, size: 2, bank: 'cartridge' });
    expect(read.data).toEqual([9, 0x80]);
    expect(await desk.call('vice.files.detach', { device: 'cartridge' })).toMatchObject({ detached: true });
  });

  test('vice.files.detach: what is empty stays so, without a reset', async () => {
    await desk.load(0xc000, [0x4c, 0, 0xc0]);
    for (const device of ['cartridge', 'tape', 10]) {
      await desk.call('vice.files.detach', { device });
      expect(await desk.call('vice.files.detach', { device })).toMatchObject({ detached: false, pc: '$C000' });
    }
  });
});

/** 8K at $8000 that begin with the vectors of a cartridge and end in a loop. */
function tape(): Uint8Array {
  const pulses = Buffer.alloc(2000, 0x30);
  const header = Buffer.alloc(20);
  header.write('C64-TAPE-RAW');
  header[12] = 1;
  header.writeUInt32LE(pulses.length, 16);
  return Buffer.concat([header, pulses]);
}
