import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { assemble } from '../../src/formats/commodore/assembler/assemble.ts';
import { CommodoreDisk } from '../../src/formats/commodore/media/commodore-disk.ts';
import { writeCrt } from '../../src/formats/commodore/media/crt.ts';
import { commands } from '../../src/links/vice/wire.ts';
import { allCapabilities, type MachineWith } from '../../src/machine/machine.ts';
import type { IndexedPicture } from '../../src/machine/screen.ts';
import { c64Kind } from '../../src/machines/commodore/c64/c64-kind.ts';
import { palette as c64Palette } from '../../src/machines/commodore/c64/machine/c64-screen.ts';
import { plus4Kind } from '../../src/machines/commodore/plus4/plus4-kind.ts';
import { vic20Kind } from '../../src/machines/commodore/vic20/vic20-kind.ts';
import { ViceEngine } from '../../src/machines/commodore/vice/vice-engine.ts';
import { viceKind } from '../../src/machines/commodore/vice/vice-kind.ts';
import type { Rack } from '../../src/rack/rack.ts';
import { Confirmations } from '../../src/tools/confirmations.ts';
import { requireRewind } from '../../src/tools/debug/require-rewind.ts';
import { tools } from '../../src/tools/index.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { makeRack, settings } from '../make-rack.ts';
import { bareVice, hasVice } from '../support/real-vice.ts';
import { scriptedVice } from '../support/scripted-vice.ts';
import { never, patientMs } from './context.ts';

type Vice = MachineWith<
  | 'control'
  | 'cpu'
  | 'memory'
  | 'screen'
  | 'keyboard'
  | 'joystick'
  | 'program'
  | 'media'
  | 'chips'
  | 'monitor'
  | 'breakpoints'
  | 'twin'
  | 'snapshots'
>;

const hasDisplay = ['Xvfb', 'xwininfo'].every((program) => spawnSync(program, ['-version']).error === undefined);

/** VICE is told names of files in it. */
const runtimeDir = mkdtempSync(join(tmpdir(), 'fp-größe-'));
let rack: Rack;
beforeAll(() => {
  rack = makeRack([viceKind], {}, { runtimeDir });
});
afterAll(async () => {
  await rack.close();
  rmSync(runtimeDir, { recursive: true, force: true });
});

async function start(options: Record<string, unknown> = {}): Promise<Vice & { readonly handle: string }> {
  const { machine, handle } = await rack.start('vice', { roms: 'own', ...options });
  return Object.assign(machine, { handle }) as Vice & { handle: string };
}

const lines = async (machine: Vice) => ((await machine.screen.text())?.lines ?? []).map((line) => line.trim());
const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');

/** Short pulses alone. */
function silentTape(): Uint8Array {
  const head = 20;
  const tape = new Uint8Array(head + 40_000).fill(0x30);
  tape.set(Buffer.from('C64-TAPE-RAW\x01\0\0\0'));
  new DataView(tape.buffer).setUint32(16, tape.length - head, true);
  return tape;
}

/** Children of this process that are VICE, or are about to become it. */
function children(): readonly number[] {
  const all = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return all
    .split('\n')
    .filter((line) => line.includes('-binarymonitor'))
    .map((line) => Number.parseInt(line, 10));
}

describe.skipIf(!hasVice)('a booted x64sc with our own ROMs', () => {
  let vice: Vice & { readonly handle: string };
  beforeAll(async () => {
    vice = await start();
  });

  test('steps from where a run of frames ended, also with a breakpoint somewhere', async () => {
    const { control, breakpoints } = vice;
    const time = () => vice.status().now?.time;
    const { id } = await breakpoints.set({
      type: 'exec',
      address: 0xc000n,
      length: 1,
      logOnly: false,
      temporary: false,
    });
    await control.run({ frames: 2, wallMs: patientMs }, never);
    const before = time();
    expect(before).toBeGreaterThan(0);
    await control.step({ kind: 'into', count: 1, back: false, wallMs: patientMs }, never);
    expect(time()).toBeGreaterThan(before ?? 0);
    await breakpoints.delete(id);
  });

  test('is at its prompt, and computes what is typed', async () => {
    expect(await lines(vice)).toContain('READY.');
    await vice.keyboard.type('print 6*7\n', never);
    expect(await lines(vice)).toContain('42');
    await vice.keyboard.press(['shift', 'home'], 1, never);
    expect((await lines(vice)).join('')).not.toContain('42');
  });

  test('a text that takes too long is told, with how far it came, before the call is given up', async () => {
    let late = 0;
    const [now, run] = [performance.now.bind(performance), ViceEngine.prototype.run];
    vi.spyOn(performance, 'now').mockImplementation(() => now() + late);
    vi.spyOn(ViceEngine.prototype, 'run').mockImplementation(async function (this: ViceEngine, limits, signal) {
      const stop = await run.call(this, limits, signal);
      late += 1500;
      return stop;
    });
    const typing = vice.keyboard.type(`rem ${'a'.repeat(70)}\n`.repeat(8), never).finally(() => vi.restoreAllMocks());
    await expect(typing).rejects.toMatchObject({
      message: expect.stringMatching(/^The program takes keys slowly: \d+ of 600 characters were typed in 35 s\.$/),
      type: 'LIMIT_REACHED',
    });
    expect(late).toBeLessThan(55_000);
    await vice.keyboard.type('\nnew\n', never);
  });

  test('keys that leave no character are refused with the machine that has them', async () => {
    await expect(vice.keyboard.press(['restore'], 1, never)).rejects.toMatchObject({
      type: 'MISSING_CAPABILITY',
      fix: expect.stringContaining('"kind":"c64"'),
    });
  });

  test('shows its picture as our own C64 does, with the border', async () => {
    const picture = await vice.screen.picture();
    expect(picture).toMatchObject({ width: 384, height: 272 });
    if (!('pixels' in picture)) throw new Error('no palette');
    const at = (x: number, y: number) => picture.pixels[y * picture.width + x];
    expect([at(5, 5), at(40, 260)]).toEqual([14, 14]);
    expect(at(32 + 318, 35 + 198)).toBe(6);
  });

  test('runs an assembled program, whose labels are names', async () => {
    const source = new TextEncoder().encode('* = $c000\nloop: inc $d020\n jmp loop\n');
    const { firstAddress, startAddress } = await vice.program.load(
      { format: 'asm', bytes: source, name: 'bars' },
      true,
      never,
    );
    expect([firstAddress, startAddress]).toEqual([0xc000n, 0xc000n]);
    // As on the built-in machines, nothing of it has run.
    expect(vice.status().where).toContain('$C000 loop');
    const { id } = await vice.breakpoints.set({
      ...{ type: 'exec', address: 0xc000n, length: 1, logOnly: false, temporary: false },
      condition: 'raster_line == 100 && [loop] == 0xee',
    });
    expect(await vice.control.run({ wallMs: patientMs }, never)).toMatchObject({
      breakpoint: { id },
      event: { beam: { line: 100 } },
    });
    expect(vice.status().where).toContain('$C000 loop');
    await vice.breakpoints.delete(id);
  });

  test('a BASIC program is loaded and run', async () => {
    const source = new TextEncoder().encode('10 print "hello"+" there"\n');
    const basic = (bytes: Uint8Array) => vice.program.load({ format: 'basic', bytes, name: 'hello' }, true, never);
    // Starting the machine writes there; nobody wants to be stopped by that.
    const onBorder = { type: 'write', address: 0xd020n, length: 1, logOnly: false, temporary: false } as const;
    const { id } = await vice.breakpoints.set(onBorder);
    const done = await basic(source);
    await vice.breakpoints.delete(id);
    expect(await lines(vice)).toContain('HELLO THERE');
    expect(done).toMatchObject({
      started: true,
      notes: ['the machine has been reset', 'it has run to its end: BASIC is at its prompt'],
    });
    const broken = await basic(new TextEncoder().encode('10 print "a"\n20 prin\n'));
    expect(broken).toMatchObject({ started: true, failure: '?SYNTAX ERROR IN 20' });
    const endless = await basic(new TextEncoder().encode('10 goto 10\n'));
    expect(endless).toMatchObject({ started: true, notes: ['the machine has been reset', 'it runs'] });
  });

  test('a joystick pulls the lines of its port until it is let go', async () => {
    const port = async () => (await vice.memory.peek('io', 0xdc01n, 1))[0];
    await vice.joystick.set(1, ['up', 'fire']);
    expect(((await port()) ?? 0) & 0x1f).toBe(0x1f & ~0x11);
    await vice.joystick.set(1, []);
    expect(await port()).toBe(0xff);
    await expect(vice.joystick.set(3, [])).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
  });

  test('chips are decoded as our own are, with what only the monitor tells', async () => {
    const read = async (chip: string, part: string, index = 0) =>
      (await vice.chips.chips.find(({ name }) => name === chip)?.read(part, index))?.numbers;
    expect(await read('vic2', 'registers')).toMatchObject({ mode: 'standard text', screen: 0x400, border: 14 });
    expect(await read('cia1', 'timer')).toMatchObject({ timer: 'A', running: true, interrupt: true });
    expect((await read('cia1', 'timer'))?.latch).toBeGreaterThan(0x4000);
    await vice.chips.write?.('sid', 'registers', 0, { $D418: 15 });
    expect(await read('sid', 'registers')).toMatchObject({ volume: 15 });
  });

  test('a disk goes in as a copy, is read back, and nonsense is refused', async () => {
    const disk = new Uint8Array(174_848).fill(7);
    await vice.media.attach('drive8', { name: 'a.d64', bytes: disk, readOnly: false });
    expect(vice.media.slots.find(({ name }) => name === 'drive8')).toMatchObject({ medium: 'a.d64' });
    expect(await vice.media.bytes('drive8')).toEqual(disk);
    await vice.media.detach('drive8');
    await expect(vice.media.bytes('drive8')).rejects.toMatchObject({ type: 'NOT_FOUND' });
  });

  test('a cartridge that goes in or out switches the machine off and on, and frames are counted from there', async () => {
    const after = async (frames: number) => {
      await vice.control.run({ frames, wallMs: patientMs }, never);
      return vice.status().now?.beam?.frame;
    };
    expect(await after(30)).toBeGreaterThan(100);
    const chip = { type: 'rom', bank: 0, address: 0x8000, size: 0x2000, bytes: new Uint8Array(0x2000) } as const;
    const facts = { name: 'EMPTY', version: 0x100, hardware: 0, hardwareName: 'generic' };
    const crt = writeCrt({ ...facts, exrom: 0, game: 1, chips: [chip] });
    expect(await vice.media.attach('cartridge', { name: 'a.crt', bytes: crt, readOnly: true })).toContain('off and on');
    expect(await after(30)).toBe(30);
    await vice.media.detach('cartridge');
    expect(await after(30)).toBe(30);
    await vice.control.run({ frames: 150, wallMs: patientMs }, never);
  });

  test('the keys of the datasette: PLAY lets a tape turn, and needs one', async () => {
    const { keyboard, memory, media, control } = vice;
    await expect(keyboard.press(['tape_play'], 1, never)).rejects.toMatchObject({ type: 'WRONG_STATE' });
    await expect(keyboard.press(['shift', 'tape_play'], 1, never)).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
    await media.attach('tape', { name: 'a.tap', bytes: silentTape(), readOnly: true });
    const isDown = async () => ((await memory.peek('cpu', 1n, 1))[0] ?? 0) & 0x10;
    expect(await isDown()).toBe(0x10);
    await keyboard.press(['tape_play'], 2, never);
    expect(await isDown()).toBe(0);
    await keyboard.press(['tape_stop'], 2, never);
    expect(await isDown()).toBe(0x10);
    await media.detach('tape');
    await control.run({ frames: 2, wallMs: patientMs }, never);
  });

  test('its monitor shows, and neither moves the machine nor opens files', async () => {
    expect(await vice.monitor.execute('vice', 'io d000', {})).toContain('VIC-II');
    await expect(vice.monitor.execute('vice', 'g c000', {})).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
    for (const line of ['save "/tmp/x" 0 0 ffff', 'cd /', 'm "x"', 'load "x" 0', 'screenshot "x"', '!ls'])
      await expect(vice.monitor.execute('vice', line, {}), line).rejects.toMatchObject({ type: 'DENIED' });
    await expect(vice.monitor.execute('vice', 'r\nquit', {})).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
  });

  test('a processor that jams is an error, which another PC ends', async () => {
    await vice.memory.poke('ram', 0xc100n, bytes('02'));
    await vice.cpu.setRegister('PC', 0xc100n);
    expect(await vice.control.run({ wallMs: patientMs }, never)).toMatchObject({
      cause: 'fault',
      reason: expect.stringContaining('$C100'),
    });
    expect(vice.status().state).toBe('ERROR');
    await expect(vice.control.run({ wallMs: 10 }, never)).rejects.toMatchObject({ type: 'EXECUTION_ERROR' });
    await vice.cpu.setRegister('PC', 0xc000n);
    expect(vice.status().state).toBe('PAUSED');
  });

  test('what it cannot do names the machine that can', async () => {
    const can = { type: 'MISSING_CAPABILITY', fix: expect.stringContaining('"kind":"c64"') };
    await expect(vice.control.run({ back: true, wallMs: 10 }, never)).rejects.toMatchObject(can);
    expect(() => requireRewind(vice)).toThrow(expect.objectContaining(can));
    const others = makeRack([c64Kind, vic20Kind, plus4Kind]);
    for (const kind of ['c64', 'vic20', 'plus4']) {
      const { machine } = await others.start(kind, {});
      const missing = allCapabilities.filter((name) => machine[name] && !vice[name as keyof Vice]);
      expect(missing, kind).toEqual(expect.arrayContaining([...(vice.builtIn?.has ?? ['none'])]));
    }
    await others.close();
    await expect(vice.control.run({ condition: 'byte[a + 1] == 1', wallMs: 10 }, never)).rejects.toMatchObject({
      message: expect.stringContaining("VICE's monitor cannot express"),
    });
  });

  test('our own C64 keeps pace with it cycle by cycle, and tells the first instruction that differs', async () => {
    const source = '* = $c000\n sei\nloop: lda data\n sta $c200\n inc $d020\n jmp loop\ndata: .byte 0\n';
    const program = { format: 'asm', bytes: new TextEncoder().encode(source), name: 'pace' };
    const all = { picture: true, memory: true, processor: true, ignored: [], wallMs: patientMs };
    const same = await vice.twin.compare({ ...all, program, frames: 20 }, never);
    expect(same).toEqual({ frame: 20, notes: ['SYS 49152 was typed on both'] });
    await vice.memory.poke('ram', 0xc00dn, Uint8Array.of(7));
    const { difference } = await vice.twin.compare({ ...all, frames: 5 }, never);
    expect(difference).toMatchObject({
      frame: 21,
      pixels: 0,
      bytes: 2,
      cells: [
        { address: 0xc00d, ours: 0, theirs: 7 },
        { address: 0xc200, ours: 0, theirs: 7 },
      ],
      instruction: {
        theirs: expect.stringMatching(/^\$C004 STA \$C200 {2}A=07/),
        ours: expect.stringMatching(/^\$C004 STA \$C200 {2}A=00/),
      },
    });
    expect(difference?.instruction?.before.at(-1)).toMatch(/^\$C001 LDA \$C00D/);
    await expect(vice.twin.compare({ ...all, frames: 5 }, never)).rejects.toMatchObject({ type: 'WRONG_STATE' });
  });

  test('the same with a cartridge in both, and without it again', async () => {
    const code = [0x09, 0x80, 0x09, 0x80, 0xc3, 0xc2, 0xcd, 0x38, 0x30, 0x78, 0xee, 0x20, 0xd0, 0xee, 0x00, 0xc1];
    const loop = [...code, 0x4c, 0x0a, 0x80];
    const rom = Uint8Array.from({ length: 0x2000 }, (_, at) => loop[at] ?? 0);
    const chip = { type: 'rom', bank: 0, address: 0x8000, size: rom.length, bytes: rom } as const;
    const facts = { name: 'BARS', version: 0x100, hardware: 0, hardwareName: 'generic' };
    const file = writeCrt({ ...facts, exrom: 0, game: 1, chips: [chip] });
    const all = { picture: true, memory: true, processor: true, ignored: [], wallMs: patientMs };
    const crt = { format: 'crt', bytes: file, name: 'bars.crt' };
    const same = await vice.twin.compare({ ...all, program: crt, frames: 12 }, never);
    expect(same).toEqual({ frame: 12, notes: ['both were switched on with the cartridge'] });
    expect((await vice.cpu.registers()).find(({ name }) => name === 'PC')?.value).toBeGreaterThanOrEqual(0x800an);
    expect((await vice.memory.peek('ram', 0xc100n, 1))[0]).toBeGreaterThan(0);
    await vice.memory.poke('ram', 0xc100n, Uint8Array.of(0));
    const { difference } = await vice.twin.compare({ ...all, frames: 5 }, never);
    expect(difference?.cells).toMatchObject([{ address: 0xc100 }]);
    // Ultimax: the processor begins where the cartridge says, and the colours are those of power-up.
    const begin = [0x78, 0xa9, 0x0b, 0x8d, 0x11, 0xd0, 0xee, 0x00, 0x02, 0x4c, 0x06, 0xe0];
    const high = Uint8Array.from({ length: 0x2000 }, (_, at) => begin[at] ?? ({ 8188: 0, 8189: 0xe0 }[at] || 0));
    const top = { type: 'rom', bank: 0, address: 0xe000, size: high.length, bytes: high } as const;
    const ultimax = { format: 'crt', bytes: writeCrt({ ...facts, exrom: 1, game: 0, chips: [top] }), name: 'max.crt' };
    expect(await vice.twin.compare({ ...all, program: ultimax, frames: 5 }, never)).toMatchObject({ frame: 5 });
    expect(Number(vice.status().now?.pc)).toBeGreaterThanOrEqual(0xe006);
    const wrong = { format: 'crt', bytes: Uint8Array.of(1, 2, 3), name: 'none.crt' };
    await expect(vice.twin.compare({ ...all, program: wrong, frames: 1 }, never)).rejects.toThrow('none.crt');
    const basic = { format: 'basic', bytes: new TextEncoder().encode('10 poke 53280,1\n'), name: 'one' };
    expect(await vice.twin.compare({ ...all, program: basic, frames: 3 }, never)).toMatchObject({ frame: 3 });
    expect(vice.media.slots.find(({ name }) => name === 'cartridge')?.medium).toBeUndefined();
  });

  test('killed from outside, it is off and says why; nothing else ends', async () => {
    const [pid = 0] = children();
    const running = vice.control.run({ wallMs: patientMs }, never);
    process.kill(pid, 'SIGKILL');
    expect((await running).cause).toBe('halt');
    await expect.poll(() => vice.status().state, { timeout: patientMs }).toBe('OFF');
    await expect(vice.memory.peek('cpu', 0n, 1)).rejects.toMatchObject({ type: 'WRONG_STATE' });
    expect(rack.events.read(0).events.map(({ type }) => type)).toContain('machine_off');
    await rack.stop(vice.handle, 'test');
    expect(children()).toEqual([]);
  });
});

/** In place of a DOS: once attention is pulled, ATNA changes again and again. */
const driveRom = assembled(`* = $c000
reset ldx #$ff
      txs
      lda #$1a
      sta $1802
      lda #$00
      sta $1800
idle  bit $1800
      bpl idle
loop  ldx #67
next  dex
      bne next
      lda $1800
      eor #$10
      sta $1800
      jmp loop
`);

function assembled(source: string): Uint8Array {
  const { bytes } = assemble(source);
  const rom = new Uint8Array(0x4000);
  rom.set(bytes);
  rom.set([0x00, 0xc0], 0x3ffc);
  return rom;
}

test.skipIf(!hasVice)('a disk in a drive of both: they are the same to the cycle at the serial bus', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fp-drive-'));
  mkdirSync(join(folder, 'DRIVES'));
  writeFileSync(join(folder, 'DRIVES', 'dos1541-325302-01+901229-05.bin'), driveRom);
  const withDrive = makeRack([viceKind], {}, { settings: { ...settings, romFolders: [folder], allowMonitor: true } });
  try {
    const { machine } = await withDrive.start('vice', {});
    const { twin, monitor, memory } = machine as unknown as Vice;
    const settingsNow = async () => {
      const texts: string[] = [];
      for (const name of ['Drive8WobbleAmplitude', 'Drive9Type'])
        texts.push(await monitor.execute('vice', `resget "${name}"`, {}));
      return texts;
    };
    await monitor.execute('vice', 'resset "Drive9Type" "1541"', {});
    const before = await settingsNow();
    expect(before[1]).toContain('1541');
    const disk = CommodoreDisk.create('d64', 'TWIN', '01');
    const program = { format: 'd64', bytes: disk.image.bytes, name: 'twin.d64' };
    const all = { picture: true, memory: true, processor: true, ignored: [], wallMs: patientMs };
    const same = await twin.compare({ ...all, program, frames: 25 }, never);
    expect(same).toEqual({
      frame: 25,
      notes: [
        'LOAD"*",8,1 was typed on both, and RUN will be after it',
        expect.stringMatching(/^as long as .* Drive8WobbleAmplitude, Drive9Type$/),
      ],
    });
    expect(await settingsNow()).not.toEqual(before);
    await memory.poke('ram', 0xc000n, Uint8Array.of(((await memory.peek('ram', 0xc000n, 1))[0] ?? 0) ^ 1));
    const { difference, notes } = await twin.compare({ ...all, frames: 2 }, never);
    expect(difference?.cells).toMatchObject([{ address: 0xc000 }]);
    expect(notes.join()).not.toContain('as long as');
    expect(await settingsNow()).toEqual(before);
  } finally {
    await withDrive.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test.skipIf(!hasVice)('one that writes its sound to a file is heard', async () => {
  const vice = await start({ sound: 'file' });
  const { audio, program } = vice as unknown as MachineWith<'audio' | 'program'>;
  const notes = ['15 $d418', '$f0 $d406', '$20 $d401', '$11 $d404'].map((each) => each.split(' '));
  const source = `* = $c000\n${notes.map(([value, at]) => ` lda #${value}\n sta ${at}\n`).join('')}loop: jmp loop\n`;
  await program.load({ format: 'asm', bytes: new TextEncoder().encode(source), name: 'tone' }, true, never);
  await audio.capture(25, patientMs, never);
  const { sampleRate, samples } = await audio.capture(25, patientMs, never);
  expect(samples.length).toBe(Math.round((25 * 63 * 312 * sampleRate) / 985_248));
  const mean = samples.reduce((sum, each) => sum + each, 0) / samples.length;
  const rises = samples.filter((each, at) => at > 0 && each >= mean && (samples[at - 1] ?? 0) < mean).length;
  // $2000 at the clock of PAL is 481 Hz.
  expect(Math.abs((rises * sampleRate) / samples.length - 481)).toBeLessThan(10);
  await rack.stop(vice.handle, 'heard');
});

test.skipIf(!hasVice)('with its sound computed, a program reads the voice of a SID as on our own', async () => {
  const vice = await start({ sound: 'computed' });
  const set = ['$ff $d40e', '$ff $d40f', '$20 $d412'].map((each) => each.split(' '));
  const source = `* = $c000\n sei\n${set.map(([value, at]) => ` lda #${value}\n sta ${at}\n`).join('')}loop: ldx #0\nfill: lda $d41b\n sta $c200,x\n inx\n bne fill\n jmp loop\n`;
  const program = { format: 'asm', bytes: new TextEncoder().encode(source), name: 'voice' };
  const request = { picture: false, memory: true, processor: true, ignored: [], wallMs: patientMs };
  expect(await vice.twin.compare({ ...request, program, frames: 8 }, never)).toEqual({
    frame: 8,
    notes: ['SYS 49152 was typed on both'],
  });
  expect(new Set(await vice.memory.peek('ram', 0xc200n, 256)).size).toBeGreaterThan(50);
  await rack.stop(vice.handle, 'compared');
});

test.skipIf(!hasVice || !hasDisplay)('its window opens on the display of this computer, and goes with it', async () => {
  const display = spawn('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [number] = (await once(display.stdout, 'data')) as [Buffer];
  const environment = { DISPLAY: `:${number.toString().trim()}` };
  const windows = () =>
    execFileSync('xwininfo', ['-root', '-tree', '-display', environment.DISPLAY], { encoding: 'utf8' });
  const own = makeRack([viceKind], {}, { settings: { ...settings, environment } });
  try {
    const { machine } = await own.start('vice', { roms: 'own', boot: false, window: true });
    expect(machine.introduction?.().join(' ')).toContain('Its window is open');
    await expect.poll(windows, { timeout: patientMs }).toMatch(/VICE/);
    expect(await (machine as Vice).control.run({ frames: 1, wallMs: patientMs }, never)).toMatchObject({
      reason: 'frames',
    });
    await own.close();
    await expect.poll(windows, { timeout: patientMs }).not.toMatch(/VICE/);
  } finally {
    await own.close();
    display.kill();
  }
});

test('without a display there is no window', async () => {
  await expect(start({ window: true })).rejects.toMatchObject({ type: 'UNAVAILABLE' });
});

describe.skipIf(!hasVice)('other machines', () => {
  /** Where the beam is, is in what it does. */
  async function keepsPace({ twin, memory }: Vice): Promise<void> {
    const source =
      '* = $1100\nloop: lda $9004\n eor $9003\n sta $1e00\n sta $9600\n inc $900f\n lda data\n jmp loop\ndata: .byte 0\n';
    const program = { format: 'asm', bytes: new TextEncoder().encode(source), name: 'pace' };
    const all = { picture: true, memory: true, processor: true, ignored: [], wallMs: patientMs };
    expect(twin.kind).toBe('vic20');
    expect(await twin.compare({ ...all, program, frames: 20 }, never)).toEqual({
      frame: 20,
      notes: ['SYS 4352 was typed on both'],
    });
    await memory.poke(memory.spaces[0]?.name ?? '', 0x1115n, Uint8Array.of(7));
    const { difference } = await twin.compare({ ...all, frames: 5 }, never);
    expect(difference?.frame).toBe(21);
    expect(difference?.cells).toContainEqual({ address: 0x1115, ours: 0, theirs: 7 });
    expect(difference?.instruction).toMatchObject({
      theirs: expect.stringContaining('A=07'),
      ours: expect.stringContaining('A=00'),
    });
  }

  /** It waits for the beam, and is interrupted by that clock, which comes some instructions earlier on one of them. */
  async function goesTheSameWay(vice: Vice): Promise<void> {
    await stopsInLines(vice);
    const { twin, memory } = vice;
    // Our own KERNAL's clock, which a raster interrupt moves.
    expect((await memory.peek('ram', 0xa5n, 1))[0]).toBeGreaterThan(100);
    const source =
      '* = $2000\nloop: lda $ff1d\n cmp #100\n bne loop\n inc $2300\n lda data\n sta $2200\nleave: cmp $ff1d\n lda $ff1d\n cmp #100\n beq leave\n jmp loop\ndata: .byte 0\n';
    const program = { format: 'asm', bytes: new TextEncoder().encode(source), name: 'way' };
    const all = { picture: true, memory: true, processor: true, ignored: [], wallMs: patientMs };
    expect(twin.kind).toBe('plus4');
    expect(await twin.compare({ ...all, program, frames: 20 }, never)).toEqual({
      frame: 20,
      notes: ['SYS 8192 was typed on both'],
    });
    await memory.poke('ram', 0x201dn, Uint8Array.of(7));
    const { difference } = await twin.compare({ ...all, frames: 5 }, never);
    expect(difference).toMatchObject({ frame: 21, pixels: 0 });
    expect(difference?.cells).toEqual([
      { address: 0x201d, ours: 0, theirs: 7 },
      { address: 0x2200, ours: 0, theirs: 7 },
    ]);
    expect(difference?.instruction).toMatchObject({
      theirs: expect.stringMatching(/STA \$2200 {2}A=07/),
      ours: expect.stringMatching(/STA \$2200 {2}A=00/),
    });
  }

  /** By the chip's own count, which programs read. */
  async function stopsInLines(vice: Vice): Promise<void> {
    const { breakpoints, control, memory } = vice;
    const line = async () => {
      const [high = 0, low = 0] = await memory.peek('io', 0xff1cn, 2);
      return ((high & 1) << 8) | low;
    };
    for (const address of [100n, 300n]) {
      const { id } = await breakpoints.set({ type: 'raster', address, length: 1, logOnly: false, temporary: false });
      expect((await control.run({ frames: 3, wallMs: patientMs }, never)).cause).toBe('breakpoint');
      expect([await line(), vice.status().now?.beam?.line]).toEqual([Number(address), Number(address)]);
      await breakpoints.delete(id);
    }
    await control.run({ condition: 'raster_line == 50', wallMs: patientMs }, never);
    expect(await line()).toBe(50);
    await control.run({ frames: 1, wallMs: patientMs }, never);
    expect(await line()).toBe(257);
  }

  test.each([
    ['xvic', 'READY.', keepsPace],
    ['xplus4', 'READY.', goesTheSameWay],
  ] as const)('%s boots with our own ROMs', async (program, prompt, afterwards) => {
    const machine = await start({ program });
    expect(await lines(machine)).toContain(prompt);
    await machine.keyboard.type('?6*7\n', never);
    expect((await lines(machine)).join('\n')).toContain('42');
    for (const chip of machine.chips.chips) expect((await chip.read('registers', 0)).lines.length).toBeGreaterThan(3);
    await afterwards(machine);
    await rack.stop(machine.handle, 'test');
  });

  test('one without ROMs says which it needs, and leaves nothing', async () => {
    await expect(start({ program: 'xpet' })).rejects.toMatchObject({
      type: 'NOT_FOUND',
      message: expect.stringContaining('xpet'),
      fix: expect.stringContaining('PET/'),
    });
    expect(children()).toEqual([]);
  });
});

describe('a VICE that runs already', () => {
  /** As one that has another client lets a second connect. It is waited for while the others run. */
  const silent = createServer((socket) => socket.on('error', () => {}));
  let ignored: Promise<unknown>;
  beforeAll(async () => {
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    ignored = start({ connect: `127.0.0.1:${port}` }).catch((error: unknown) => error);
  });
  afterAll(() => silent.close());

  test.skipIf(!hasVice)('is taken over, and goes on when it is let go', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'vice-'));
    const { child, binmonPort, textPort } = await bareVice(dir);
    const places = { connect: `127.0.0.1:${binmonPort}`, text_monitor: `127.0.0.1:${textPort}` };
    try {
      const machine = await start(places);
      expect(machine.status()).toMatchObject({ state: 'PAUSED', now: { time: expect.any(Number) } });
      const place = { type: 'exec', address: 0n, length: 0x10000, logOnly: false, temporary: false };
      await machine.breakpoints.set(place);
      const before = machine.status().now?.time ?? 0;
      await rack.stop(machine.handle, 'test');
      expect(child.exitCode).toBeNull();
      // The breakpoint is gone with us, and it runs.
      const again = await start(places);
      await expect
        .poll(async () => (await again.control.run({ wallMs: 20 }, never)).event?.time, { timeout: patientMs })
        .toBeGreaterThan(before + 20_000);
      expect(await again.breakpoints.list()).toEqual([]);
      await rack.stop(again.handle, 'test');
    } finally {
      child.kill('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    }
  });

  test.each([
    ['a message of four gigabytes', [2, 2, 0xff, 0xff, 0xff, 0xff, 0x85, 0, 1, 0, 0, 0]],
    ['something else', [...Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')]],
    ['nothing', []],
  ])('a far end that sends %s is refused', async (_, sent) => {
    const server: Server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(Buffer.from(sent)));
    });
    server.on('error', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await expect(start({ connect: `127.0.0.1:${port}` })).rejects.toMatchObject({ name: 'MachineError' });
    server.close();
  });

  test.each([
    ['3.5, which does not say so', undefined, false],
    ['3.6', [3, 6, 1, 0], true],
    ['3.10', [3, 10, 0, 0], true],
    ['3.11', [3, 11, 0, 0], true],
  ])('%s can as much as its monitor knows', async (name, version, hasMore) => {
    const scripted = await scriptedVice({ ...(version && { version }) });
    const machine = await start({ connect: scripted.place });
    try {
      expect(machine.introduction?.().join(' ')).toContain(`VICE ${name.split(',', 1)[0]}`);
      // Since 3.6 there are commands for both.
      expect(machine.joystick !== undefined).toBe(hasMore);
      // 3.5 has no number for the length of all of it.
      expect(await machine.memory.peek('ram', 0n, 0x10000)).toEqual(new Uint8Array(0x10000).fill(0xea));
      const picture = await machine.screen.picture();
      const { pixels, palette, width, height } = picture as IndexedPicture;
      expect([width, height, pixels[0], palette.length]).toEqual([384, 271, 6, 48]);
      expect([...palette.subarray(18, 21)]).toEqual(hasMore ? [6, 6, 6] : [...c64Palette.subarray(18, 21)]);
      if (!machine.joystick) return;
      await machine.joystick.set(2, ['up', 'fire']);
      expect(scripted.asked).toContain(commands.joyportSet);
    } finally {
      await rack.stop(machine.handle, 'test');
      scripted.close();
    }
  });

  test('one that answers with what no VICE sends is told from it', async () => {
    const vast = Buffer.alloc(100);
    for (const at of [4, 6, 12, 14]) vast.writeUInt16LE(0xffff, at);
    const lies = new Map([
      [commands.checkpointSet, Buffer.alloc(3)],
      [commands.dump, Buffer.alloc(0)],
      [commands.displayGet, vast],
    ]);
    const scripted = await scriptedVice({ version: [3, 7, 1, 0], lies });
    const machine = await start({ connect: scripted.place });
    try {
      const short = { type: 'UNAVAILABLE', message: expect.stringContaining('sent 3 bytes where VICE sends 4') };
      await expect(
        machine.breakpoints.set({ type: 'exec', address: 0xc000n, length: 1, logOnly: false, temporary: false }),
      ).rejects.toMatchObject(short);
      const elsewhere = { type: 'UNAVAILABLE', message: expect.stringContaining('another computer') };
      await expect(machine.snapshots.save('one')).rejects.toMatchObject(elsewhere);
      await expect(machine.screen.picture()).rejects.toMatchObject({ type: 'UNAVAILABLE' });
    } finally {
      await rack.stop(machine.handle, 'test');
      scripted.close();
    }
  });

  test.each([
    ['no size', [0, 0, 0, 0, 0, 0]],
    ['its text far outside', [384, 272, 65_535, 65_535, 0, 0]],
  ])('a picture with %s is none', async (_, words) => {
    const picture = Buffer.alloc(21 + 384 * 272);
    for (const [index, word] of words.entries()) picture.writeUInt16LE(word, 4 + 2 * index);
    const scripted = await scriptedVice({ version: [3, 7, 1, 0], lies: new Map([[commands.displayGet, picture]]) });
    const machine = await start({ connect: scripted.place });
    try {
      const none = { type: 'UNAVAILABLE', message: 'VICE shows no picture.' };
      await expect(machine.screen.picture()).rejects.toMatchObject(none);
    } finally {
      await rack.stop(machine.handle, 'test');
      scripted.close();
    }
  });

  test('a start that fails at the text monitor names its address, and no machine to stop', async () => {
    const scripted = await scriptedVice({ version: [3, 7, 1, 0] });
    const closing = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.end()));
    await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve));
    const address = closing.address();
    const place = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    await expect(start({ connect: scripted.place, text_monitor: place })).rejects.toMatchObject({
      type: 'UNAVAILABLE',
      message: `VICE was lost at ${place}: VICE has closed its monitor.`,
    });
    closing.close();
    scripted.close();
  });

  test('memory that comes short is not taken for all of it', async () => {
    const scripted = await scriptedVice({
      version: [3, 7, 1, 0],
      lies: new Map([[commands.memoryGet, Buffer.of(1, 0, 7)]]),
    });
    const machine = await start({ connect: scripted.place });
    try {
      const short = { type: 'UNAVAILABLE', message: expect.stringContaining('sent 3 bytes where VICE sends 18') };
      await expect(machine.memory.peek('cpu', 0x1000n, 16)).rejects.toMatchObject(short);
    } finally {
      await rack.stop(machine.handle, 'test');
      scripted.close();
    }
  });

  test('one that never says that it has stopped is not waited for by a call that was cancelled', async () => {
    const done = Buffer.alloc(0);
    const lies = new Map([
      [commands.checkpointSet, Buffer.alloc(4)],
      [commands.checkpointDelete, done],
      [commands.reset, done],
    ]);
    const scripted = await scriptedVice({ version: [3, 7, 1, 0], lies });
    const machine = await start({ connect: scripted.place });
    const failed = (bug: unknown) => expect(bug).toBeUndefined();
    const toolbox = new Toolbox(tools, ['all'], rack, new Confirmations(false, () => ''), failed);
    const caller = { client: 'test', role: 'own', progress: () => {} } as const;
    try {
      for (const [tool, args] of [
        ['machine_reset', {}],
        ['program_run', { source: '* = $c000\n rts\n' }],
      ] as const) {
        const cancel = new AbortController();
        const before = scripted.asked.length;
        const call = toolbox.call(tool, { machine: machine.handle, ...args }, { ...caller, signal: cancel.signal });
        await expect
          .poll(() => scripted.asked.slice(before).includes(commands.reset), { timeout: patientMs })
          .toBe(true);
        cancel.abort();
        expect(await call, tool).toMatchObject({ type: 'error', error: { type: 'CANCELLED' } });
        expect(rack.get(machine.handle).queue.holder, tool).toBeUndefined();
      }
    } finally {
      await rack.stop(machine.handle, 'test');
      scripted.close();
    }
  });

  test('one before 3.5 is refused', async () => {
    const scripted = await scriptedVice({ version: [3, 4, 0, 0] });
    await expect(start({ connect: scripted.place })).rejects.toThrow('This is VICE 3.4.0');
    scripted.close();
  });

  test('one that has another client is refused, with what to do', async () => {
    expect(await ignored).toMatchObject({
      type: 'UNAVAILABLE',
      message: expect.stringContaining('does not answer'),
      fix: expect.stringContaining('takes one client'),
    });
  });

  test('a place that is none is refused', async () => {
    await expect(start({ connect: 'nowhere' })).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
  });
});
