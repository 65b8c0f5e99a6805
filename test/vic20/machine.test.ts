import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assemble } from '../../src/formats/commodore/assembler/assemble.ts';
import { unicodeToScreenCode } from '../../src/formats/commodore/basic/petscii.ts';
import { tokenise } from '../../src/formats/commodore/basic/tokenise.ts';
import { tapOf } from '../../src/formats/commodore/media/cbm-tape-testing.ts';
import { CommodoreDisk } from '../../src/formats/commodore/media/commodore-disk.ts';
import { writeCrt } from '../../src/formats/commodore/media/crt.ts';
import { vic20Model } from '../../src/machines/commodore/vic20/vic20-model.ts';
import { Desk } from '../c64/desk.ts';
import { here } from '../support/tool-bench.ts';

let desk: Desk;
const folder = mkdtempSync(join(tmpdir(), 'fp-vic20-'));
beforeEach(async () => {
  desk = await Desk.withVic20();
});
afterEach(() => desk.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, bytes: Uint8Array) => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};
const prg = (source: string) => {
  const { origin, bytes, errors } = assemble(source);
  expect(errors).toEqual([]);
  return Uint8Array.of(origin & 255, origin >> 8, ...bytes);
};
const basic = (text: string, loadAddress = 0x1001) => tokenise(text, { letters: 'upper', loadAddress }).bytes;
const screen = () => desk.call('screen_read');
const machine = () => desk.machine();
/** For what no tool tells. */
const openHere = async () => {
  await desk.close();
  desk = await Desk.withVic20({}, here);
};

/** The text of the picture: each place is compared with the character set's own pixels. */
async function textInPicture(characters: string): Promise<readonly string[]> {
  const [picture, rom] = [await machine().screen?.picture(), await machine().memory?.peek('rom', 0x8000n, 0x400)];
  if (!picture || !('pixels' in picture) || !rom) throw new Error('no picture');
  const { columns, rows, pixelWidth, textAt } = vic20Model.screen;
  const at = (x: number, y: number) => picture.pixels[(textAt[1] + y) * picture.width + textAt[0] + x * pixelWidth];
  const background = at(0, 0);
  const shape = (column: number, row: number) =>
    Array.from({ length: 64 }, (_, bit) => at(column * 8 + (bit & 7), row * 8 + (bit >> 3)) !== background).join();
  const shapeOf = (code: number) =>
    Array.from({ length: 64 }, (_, bit) => (((rom[code * 8 + (bit >> 3)] ?? 0) >> (7 - (bit & 7))) & 1) === 1).join();
  const shapes = new Map([...characters].map((each) => [shapeOf(unicodeToScreenCode(each) ?? 0), each]));
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_each, column) => shapes.get(shape(column, row)) ?? ' ')
      .join('')
      .trimEnd(),
  );
}

describe('as a person has it', () => {
  test('a program that is typed in shows its output as text and in the picture', async () => {
    await openHere();
    await desk.call('input_send', { text: '10 PRINT "HELLO, VIC":PRINT 6*7\nRUN\n' });
    await desk.call('run', { frames: 20 });
    expect(await screen()).toMatch(/RUN\s*\nHELLO, VIC\s*\n 42\s*\n/);
    expect(await textInPicture('HELOVIC,426RUN')).toEqual(expect.arrayContaining(['HELLO, VIC', ' 42']));
    expect(await desk.call('screen_read', { mode: 'image' })).toContain('448x284');
  });

  test.each([
    [{ expansion: '3k' }, 6655],
    [{ expansion: '8k', video: 'ntsc' }, 11_775],
    [{ expansion: '24k' }, 28_159],
    [{ expansion: '32k' }, 28_159],
    [{ expansion: 'all' }, 28_159],
  ])('%o: %i bytes are free, and BASIC text runs there', async (options, free) => {
    await desk.close();
    desk = await Desk.withVic20(options);
    expect(await screen()).toContain(`${free} BYTES FREE`);
    const source = '10 A=A+1\n20 IF A<5 THEN 10\n30 PRINT "SUM"A';
    expect(await desk.call('program_run', { source })).toMatch(
      /Fix: Lines with numbers are BASIC: add "language":"basic"/,
    );
    await desk.call('program_run', { source, language: 'basic' });
    await desk.call('run', { frames: 60 });
    expect(await screen()).toContain('SUM 5');
  });

  test('joystick, paddles and light pen reach the chips', async () => {
    await openHere();
    await machine().joystick?.set(1, ['up', 'right', 'fire']);
    const source = `* = $1800
        sei
        lda #$7f
        sta $9122
        lda $9120
        and #$80
        sta $1900
        lda $9111
        and #$3c
        sta $1901
loop    jmp loop`;
    await desk.call('program_run', { source });
    await desk.call('run', { frames: 1 });
    expect(await desk.bytes('$1900', 2)).toBe('0018');
    await machine().paddles?.set(1, { x: 17, y: 200, xButton: false, yButton: false });
    expect(await desk.call('chip_read', { chip: 'vic' })).toContain('paddles: x 17, y 200');
    await machine().lightPen?.aim({ x: 200, y: 100 });
    await desk.call('run', { frames: 2 });
    expect(await desk.call('chip_read', { chip: 'vic' })).not.toContain('light_pen: x 87, y 234');
    await expect(machine().lightPen?.aim({ x: 448, y: 0 })).rejects.toThrow('The picture has 448x284 pixels');
    expect(await desk.call('input_send', { joystick: 2, directions: ['up'] })).toContain('no control port 2');
    expect(await desk.call('input_send', { text: '~' })).toContain('The VIC-20 has no key for "~"');
  });

  test('a tone is heard at its pitch', async () => {
    await desk.call('input_send', { text: 'POKE36878,15:POKE36875,199\n' });
    const { hertz } = await desk.data('audio_capture', { frames: 30 });
    // 1,108,405 / 128 / (127 - 71), as the alto voice counts.
    expect(Number(hertz)).toBeGreaterThan(152);
    expect(Number(hertz)).toBeLessThan(157);
    expect(await desk.call('chip_read', { chip: 'vic', part: 'voice', index: 1 })).toContain('154.6 Hz');
  });
});

describe('as a debugger has it', () => {
  const counter = { source: '* = $1800\nloop inc $1e00\n inc count\n jmp loop\ncount .byte 0' };

  test('stops at code, memory and raster lines, steps, and goes back', async () => {
    await desk.call('program_run', counter);
    await desk.call('breakpoint_set', { address: 'count', type: 'write', condition: 'value == 40' });
    expect(await desk.call('run')).toContain('$1809 written by $1803 INC');
    expect(await desk.bytes('count', 1)).toBe('28');
    await desk.call('breakpoint_delete', { id: 1 });
    await desk.call('run', { frames: 3 });
    expect(await desk.bytes('count', 1)).not.toBe('28');
    await desk.call('run', { frames: 3, back: true });
    await desk.call('breakpoint_set', { address: 'loop', condition: 'raster_line == 120' });
    await desk.call('run');
    expect(await desk.stateLine()).toMatch(/BREAKPOINT at \$1800 loop.*line 120, /);
    const there = await desk.bytes('count', 1);
    await desk.call('step', { count: 2 });
    expect(Number.parseInt(await desk.bytes('count', 1), 16)).toBe((Number.parseInt(there, 16) + 1) & 255);
    await desk.call('step', { count: 2, back: true });
    expect(await desk.bytes('count', 1)).toBe(there);
    expect(await desk.stateLine()).toMatch(/at \$1800 loop/);
  });

  test('marked code stops at every place and costs no cycle', async () => {
    await desk.call('program_run', counter);
    await desk.call('snapshot_save', { name: 'start' });
    await desk.call('run', { cycles: 10_000 });
    const free = await desk.bytes('$0000', 0x2000);
    await desk.call('snapshot_restore', { name: 'start' });
    await desk.call('breakpoint_set', { address: 'loop', condition: 'a > 255' });
    await desk.call('run', { cycles: 10_000 });
    expect(await desk.bytes('$0000', 0x2000)).toBe(free);
    await desk.call('snapshot_restore', { name: 'start' });
    await desk.call('breakpoint_set', { address: '$9000', length: 16, type: 'read' });
    await desk.call('run', { cycles: 10_000 });
    expect(await desk.bytes('$0000', 0x2000)).toBe(free);
  });

  test('reads chips, and tells interrupts by their source', async () => {
    expect(await desk.call('chip_read', { chip: 'vic' })).toMatch(
      /size: 22 columns, 23 rows of 8x8[\s\S]*screen: \$1E00/,
    );
    expect(await desk.call('chip_read', { chip: 'vic', part: 'character', index: 1, as: 'ascii' })).toMatch(
      /code: \$01/,
    );
    expect(await desk.call('chip_read', { chip: 'via2', part: 'timer' })).toContain('mode: continuous');
    await desk.call('cycles_read', { interrupts: 'on' });
    await desk.call('run', { frames: 3 });
    await desk.call('input_send', { keys: ['restore'] });
    const log = await desk.call('cycles_read');
    expect(log).toContain('via2 timer 1');
    expect(log).toContain('via1 RESTORE');
  });

  test('a snapshot brings everything back, here and in a fork', async () => {
    await desk.call('input_send', { text: 'A=41\n' });
    await desk.call('snapshot_save', { name: 'a' });
    await desk.call('input_send', { text: 'A=1\n' });
    await desk.call('snapshot_restore', { name: 'a' });
    await desk.call('snapshot_restore', { name: 'a', into: 'twin' });
    for (const handle of ['vic20-1', 'twin']) {
      await desk.call('input_send', { machine: handle, text: 'PRINT A+1\n' });
      await desk.call('run', { machine: handle, frames: 10 });
      expect(await desk.call('screen_read', { machine: handle })).toContain(' 42');
    }
  });
});

describe('media', () => {
  const hello = '10 PRINT "FROM DISK"\n20 PRINT FRE(0)';
  const diskWith = (bytes: Uint8Array) => {
    const disk = CommodoreDisk.create('d64', 'WORK', 'FP');
    disk.write('HELLO', bytes);
    return file('work.d64', disk.image.bytes);
  };

  test('a disk is loaded from and saved to', async () => {
    expect(await desk.call('media_attach', { path: diskWith(basic(hello)) })).toContain('"HELLO" PRG');
    await desk.call('input_send', { text: 'LOAD"HELLO",8\n' });
    await desk.call('run', { frames: 600 });
    await desk.call('input_send', { text: 'RUN\n' });
    await desk.call('run', { frames: 30 });
    expect(await screen()).toMatch(/RUN\s*\nFROM DISK/);
    await desk.call('input_send', { text: 'SAVE"TWO",8\n' });
    await desk.call('run', { frames: 600 });
    expect(await desk.call('media_attach')).toMatch(/drive8.*changed/);
  });

  test.each([
    ['none', 0x1001, 'LOAD":*",8,1'],
    ['8k', 0x1001, 'LOAD":*",8'],
    ['3k', 0x1201, 'LOAD":*",8'],
  ])('expansion %s runs a BASIC program of address %i from a disk with %s', async (expansion, address, command) => {
    await desk.close();
    desk = await Desk.withVic20({ expansion });
    await desk.call('program_run', { path: diskWith(basic(hello, address)) });
    await desk.call('run', { frames: 30 });
    expect(await screen()).toContain('FROM DISK');
    expect(await screen()).toMatch(new RegExp(`${command.replace('*', '\\*')}\\s*\\n`));
  });

  test('a program for memory that is not there is refused, also on a disk', async () => {
    const refused = /code.*: 4 bytes do not fit at \$2000: there is no RAM\./i;
    const code = prg('* = $2000\nloop inc $900f\n rts');
    expect(await desk.call('program_run', { path: file('code.prg', code) })).toMatch(refused);
    const disk = CommodoreDisk.create('d64', 'WORK', 'FP');
    disk.write('CODE', code);
    expect(await desk.call('program_run', { path: file('code.d64', disk.image.bytes) })).toMatch(refused);
    await desk.close();
    desk = await Desk.withVic20({ expansion: '8k' });
    expect(await desk.call('program_run', { path: file('code.prg', code) })).toMatch(/loaded \$2000-\$2003, start/);
  });

  test('a BASIC program that would lie in the screen is refused', async () => {
    const long = Array.from({ length: 95 }, (_, line) => `${line} print "0123456789012345678901234567890"\n`).join('');
    const answer = await desk.call('program_run', { source: long, language: 'basic' });
    expect(answer).toMatch(/source\.basic would end at \$1EDA, but BASIC's memory ends at \$1DFF\./);
  });

  test('a PRG of another memory is moved, and says so', async () => {
    const path = file('big.prg', basic('10 PRINT "MOVED":GOTO 30\n20 STOP\n30 PRINT "ON"', 0x1201));
    expect(await desk.call('program_run', { path })).toMatch(/loaded \$1001-.*[\s\S]*moved from \$1201/);
    await desk.call('run', { frames: 30 });
    expect(await screen()).toMatch(/MOVED\s*\nON/);
  });

  test('a tape is loaded and started', { timeout: 180_000 }, async () => {
    const body = basic('10 PRINT "FROM TAPE"').subarray(2);
    await desk.call('program_run', { path: file('one.tap', tapOf('ONE', 0x1001, body)) });
    await desk.call('run', { frames: 60 });
    expect(await screen()).toContain('FROM TAPE');
  });

  /** Starts in place of BASIC and writes to the screen. */
  const cartridge = prg(`* = $a000
    .word start, start
    .byte $41, $30, $c3, $c2, $cd
start   ldx #15
set     lda registers,x
        sta $9000,x
        dex
        bpl set
        ldx #0
        lda #$20
clear   sta $1e00,x
        sta $1f00,x
        inx
        bne clear
        lda #24
        sta $1e00
loop    jmp loop
registers .byte $0c, $26, $96, $2e, 0, $f0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $1b
`);

  test.each([
    ['game.prg', cartridge],
    ['game.bin', Uint8Array.from({ length: 0x2000 }, (_, index) => cartridge[index + 2] ?? 0xff)],
    ['game.crt', vic20Crt(cartridge.subarray(2))],
  ])('%s goes into the port unasked and starts', async (name, bytes) => {
    expect(await desk.call('media_attach', { path: file(name, bytes) })).toMatch(/cartridge.* at \$A000/);
    await desk.call('run', { frames: 150 });
    expect(await screen()).toMatch(/^X/m);
    expect(await desk.stateLine()).toMatch(/at \$A0/);
    await desk.call('snapshot_save', { name: 'in' });
    await desk.call('media_detach', { slot: 'cartridge' });
    await desk.call('run', { frames: 150 });
    expect(await screen()).toContain('READY.');
    await desk.call('snapshot_restore', { name: 'in' });
    await desk.call('run', { frames: 2 });
    expect(await desk.stateLine()).toMatch(/at \$A0/);
    expect(await desk.bytes('$A004', 5, 'cart')).toBe('4130C3C2CD');
  });

  test('what is none is refused', async () => {
    const chips = [{ type: 'rom', bank: 0, address: 0x8000, size: 0x2000, bytes: new Uint8Array(0x2000) }] as const;
    const c64 = writeCrt({ name: 'X', version: 1, hardware: 0, hardwareName: '', exrom: 0, game: 1, chips });
    const attach = (name: string, bytes: Uint8Array) =>
      desk.call('media_attach', { slot: 'cartridge', path: file(name, bytes) });
    expect(await attach('c64.crt', c64)).toContain('is a cartridge of another machine; cartridge takes');
    expect(await attach('long.bin', new Uint8Array(0x9000))).toContain('expected a CRT file or 2 to 32 KiB of ROM');
  });
});

function vic20Crt(rom: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(0x40 + 16 + 0x2000);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode('VIC20 CARTRIDGE '));
  view.setUint32(16, 0x40);
  view.setUint16(20, 0x100);
  bytes.set(new TextEncoder().encode('GAME'), 0x20);
  bytes.set(new TextEncoder().encode('CHIP'), 0x40);
  view.setUint32(0x44, 16 + 0x2000);
  view.setUint16(0x4c, 0xa000);
  view.setUint16(0x4e, 0x2000);
  bytes.set(rom, 0x50);
  return bytes;
}
