import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assemble } from '../../src/formats/commodore/assembler/assemble.ts';
import { unicodeToScreenCode } from '../../src/formats/commodore/basic/petscii.ts';
import { tokenise } from '../../src/formats/commodore/basic/tokenise.ts';
import { CommodoreDisk } from '../../src/formats/commodore/media/commodore-disk.ts';
import { plus4Model } from '../../src/machines/commodore/plus4/plus4-model.ts';
import { Desk } from '../c64/desk.ts';
import { here } from '../support/tool-bench.ts';

let desk: Desk;
const folder = mkdtempSync(join(tmpdir(), 'fp-plus4-'));
beforeEach(async () => {
  desk = await Desk.withPlus4();
});
afterEach(() => desk.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, bytes: Uint8Array) => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};
const code = (source: string) => {
  const { bytes, errors } = assemble(source);
  expect(errors).toEqual([]);
  return bytes;
};
const basic = (text: string) => tokenise(text, { letters: 'upper', loadAddress: 0x1001 }).bytes;
const screen = () => desk.call('screen_read');
const machine = () => desk.machine();
/** For what no tool tells. */
const openHere = async () => {
  await desk.close();
  desk = await Desk.withPlus4({}, 'plus4', here);
};

/** The text of the picture: each place is compared with the character set's own pixels. */
async function textInPicture(characters: string): Promise<readonly string[]> {
  const [picture, rom] = [await machine().screen?.picture(), await machine().memory?.peek('rom', 0xd000n, 0x400)];
  if (!picture || !('pixels' in picture) || !rom) throw new Error('no picture');
  const { columns, rows, textAt } = plus4Model.screen;
  const at = (x: number, y: number) => picture.pixels[(textAt[1] + y) * picture.width + textAt[0] + x];
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
    await desk.call('input_send', { text: '10 PRINT "HELLO, TED":PRINT 6*7\nRUN\n' });
    await desk.call('run', { frames: 20 });
    expect(await screen()).toMatch(/RUN\s*\nHELLO, TED\s*\n 42\s*\n/);
    expect(await textInPicture('HELOTD,426RUN')).toEqual(expect.arrayContaining(['HELLO, TED', ' 42']));
    expect(await desk.call('screen_read', { mode: 'image' })).toContain('384x288');
  });

  test.each([
    ['plus4', {}, 28_671],
    ['plus4', { video: 'ntsc' }, 28_671],
    ['c16', {}, 12_287],
    ['c16', { ram: '32k' }, 28_671],
    ['c16', { ram: '64k', video: 'ntsc' }, 28_671],
  ] as const)('%s %o: %i bytes are free, and BASIC text runs there', async (kind, options, free) => {
    await desk.close();
    desk = await Desk.withPlus4(options, kind);
    expect(await screen()).toContain(`${free} BYTES FREE`);
    await desk.call('program_run', { source: '10 A=A+1\n20 IF A<5 THEN 10\n30 PRINT "SUM"A', language: 'basic' });
    await desk.call('run', { frames: 60 });
    expect(await screen()).toContain('SUM 5');
  });

  test('keys that only this keyboard has: cursor keys, colours, ESC', async () => {
    await desk.call('input_send', { text: 'PRINT "AB' });
    await desk.call('input_send', { keys: ['left'] });
    await desk.call('input_send', { keys: ['return'] });
    await desk.call('input_send', { text: 'GET A$:IF A$="" THEN' });
    expect(await screen()).toContain('AB');
    expect(await desk.call('input_send', { keys: ['restore'] })).toContain('No key "restore"');
    expect(await desk.call('input_send', { text: '~' })).toContain('The Plus/4 has no key for "~"');
  });

  test('joysticks reach the latch that selects them', async () => {
    await openHere();
    await machine().joystick?.set(1, ['up', 'right', 'fire']);
    await machine().joystick?.set(2, ['down', 'fire']);
    const source = `* = $1800
        sei
        lda #$ff
        sta $fd30
        lda #$fb
        sta $ff08
        lda $ff08
        sta $1900
        lda #$fd
        sta $ff08
        lda $ff08
        sta $1901
loop    jmp loop`;
    await desk.call('program_run', { source });
    await desk.call('run', { frames: 1 });
    expect(await desk.bytes('$1900', 2)).toBe('B67D');
  });

  test('a tone is heard at its pitch', async () => {
    // 1,773,447 / 16 / (1023 - 770)
    await desk.call('input_send', { text: 'POKE65298,PEEK(65298)OR3:POKE65294,2:POKE65297,24\n' });
    const { hertz } = await desk.data('audio_capture', { frames: 30 });
    expect(Number(hertz)).toBeGreaterThan(434);
    expect(Number(hertz)).toBeLessThan(442);
    expect(await desk.call('chip_read', { chip: 'ted', part: 'voice', index: 0 })).toContain('438.1 Hz');
  });
});

describe('as a debugger has it', () => {
  const counter = { source: '* = $1800\nloop inc $0c00\n inc count\n jmp loop\ncount .byte 0' };

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

  test('marked code and watched memory cost no cycle', async () => {
    await desk.call('program_run', counter);
    await desk.call('snapshot_save', { name: 'start' });
    await desk.call('run', { cycles: 10_000 });
    const free = await desk.bytes('$0000', 0x2000);
    await desk.call('snapshot_restore', { name: 'start' });
    await desk.call('breakpoint_set', { address: 'loop', condition: 'a > 255' });
    await desk.call('run', { cycles: 10_000 });
    expect(await desk.bytes('$0000', 0x2000)).toBe(free);
    await desk.call('snapshot_restore', { name: 'start' });
    await desk.call('breakpoint_set', { address: '$FF00', length: 16, type: 'read' });
    await desk.call('run', { cycles: 10_000 });
    expect(await desk.bytes('$0000', 0x2000)).toBe(free);
  });

  test('reads chips, and tells interrupts by their source', async () => {
    expect(await desk.call('chip_read', { chip: 'ted' })).toMatch(
      /mode: text[\s\S]*screen: \$0C00[\s\S]*characters: \$D000 in ROM/,
    );
    expect(await desk.call('chip_read', { chip: 'ted', part: 'character', index: 1, as: 'ascii' })).toMatch(
      /code: \$01/,
    );
    await desk.call('input_send', { text: 'POKE65280,0:POKE65281,8\n' });
    expect(await desk.call('chip_read', { chip: 'ted', part: 'timer' })).toMatch(/starts_from: \$0800\s+running: yes/);
    expect(await desk.call('chip_read', { chip: 'acia' })).toContain('rate: external');
    await desk.call('cycles_read', { interrupts: 'on' });
    await desk.call('run', { frames: 3 });
    expect(await desk.call('cycles_read')).toContain('ted raster');
  });

  test('a snapshot brings everything back, here and in a fork', async () => {
    await desk.call('input_send', { text: 'A=41\n' });
    await desk.call('snapshot_save', { name: 'a' });
    await desk.call('input_send', { text: 'A=1\n' });
    await desk.call('snapshot_restore', { name: 'a' });
    await desk.call('snapshot_restore', { name: 'a', into: 'twin' });
    for (const handle of ['plus4-1', 'twin']) {
      await desk.call('input_send', { machine: handle, text: 'PRINT A+1\n' });
      await desk.call('run', { machine: handle, frames: 10 });
      expect(await desk.call('screen_read', { machine: handle })).toContain(' 42');
    }
  });

  test('sees RAM under ROM, ROM under RAM, and chips above both', async () => {
    const source = `* = $1800
        sei
        lda #$12
        sta $8000
        lda $8000
        sta $1900
        sta $ff3f
        lda $8000
        sta $1901
loop    jmp loop`;
    await desk.call('program_run', { source });
    await desk.call('run', { frames: 1 });
    expect(await desk.bytes('$1900', 2)).toBe('4C12');
    expect(await desk.bytes('$8000', 1)).toBe('12');
    expect(await desk.bytes('$8000', 1, 'cpu')).toBe('12');
    expect(await desk.bytes('$8000', 1, 'rom')).toBe('4C');
    expect(await desk.call('chip_read', { chip: 'ted' })).toContain('processor_sees: RAM');
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
    await desk.call('run', { frames: 60 });
    await desk.call('input_send', { text: 'RUN\n' });
    await desk.call('run', { frames: 30 });
    expect(await screen()).toMatch(/RUN\s*\nFROM DISK/);
    await desk.call('input_send', { text: 'SAVE"TWO",8\n' });
    await desk.call('run', { frames: 60 });
    expect(await desk.call('media_attach')).toMatch(/drive8.*changed/);
  });

  test('BASIC programs of a C64 are moved, and those with machine code of their own are refused', async () => {
    const ofC64 = tokenise('10 PRINT "MOVED":GOTO 30\n20 STOP\n30 PRINT "ON"', {
      letters: 'upper',
      loadAddress: 0x0801,
    });
    const path = file('c64.prg', ofC64.bytes);
    for (const from of [path, diskWith(ofC64.bytes)]) {
      await desk.call('machine_reset', { mode: 'soft' });
      await desk.call('program_run', { path: from });
      await desk.call('run', { frames: 30 });
      expect(await screen(), from).toMatch(/MOVED\s*\nON/);
    }
    const withCode = Buffer.concat([
      tokenise('10 SYS 2062', { letters: 'upper', loadAddress: 0x0801 }).bytes,
      code('JMP $080E'),
    ]);
    for (const from of [file('intro.prg', withCode), diskWith(withCode)]) {
      expect(await desk.call('program_run', { path: from }), from).toMatch(
        /calls machine code of its own at \$080E, but BASIC begins at \$1001 here[\s\S]*machine_start \{"kind":"c64"\}/,
      );
    }
  });

  test('program_run starts what is on a disk', async () => {
    await desk.call('program_run', { path: diskWith(basic(hello)) });
    await desk.call('run', { frames: 30 });
    expect(await screen()).toContain('FROM DISK');
  });

  test('without a tape part in our ROMs the datasette says so', async () => {
    await desk.call('input_send', { text: 'LOAD\n' });
    await desk.call('run', { frames: 30 });
    expect(await screen()).toContain('DEVICE NOT PRESENT');
  });

  /** Starts in place of BASIC and writes to the screen. */
  const cartridge = Uint8Array.from({ length: 0x4000 }, () => 0xff);
  cartridge.set(
    code(`* = $8000
        jmp start
        jmp start
    .byte 1, $43, $42, $4d
start   lda #24
        sta $0c00
loop    jmp loop`),
  );

  test('a cartridge goes into the port unasked and starts', async () => {
    expect(await desk.call('media_attach', { path: file('game.bin', cartridge) })).toMatch(/cartridge.* at \$8000/);
    await desk.call('run', { frames: 150 });
    expect(await screen()).toMatch(/^X/m);
    expect(await desk.stateLine()).toMatch(/at \$80/);
    await desk.call('snapshot_save', { name: 'in' });
    await desk.call('media_detach', { slot: 'cartridge' });
    await desk.call('run', { frames: 150 });
    expect(await screen()).toContain('READY.');
    await desk.call('snapshot_restore', { name: 'in' });
    await desk.call('run', { frames: 2 });
    expect(await desk.stateLine()).toMatch(/at \$80/);
    expect(await desk.bytes('$8006', 4, 'cart')).toBe('0143424D');
  });

  test('what is none is refused', async () => {
    const path = file('long.bin', new Uint8Array(0x11000));
    expect(await desk.call('media_attach', { slot: 'cartridge', path })).toContain('expected a CRT file or 4, 8, 16');
  });
});

test.for(['pal', 'ntsc'] as const)('the window inside the border has its edges where they are, %s', async (video) => {
  const own = await Desk.withPlus4({ video }, 'plus4', here);
  const { screen: shown } = own.machine();
  const [picture, window] = [await shown?.picture(), shown?.window?.()];
  if (!picture || !('pixels' in picture) || !window) throw new Error('no picture');
  const { x, y, width, height } = window;
  const at = (column: number, row: number) => picture.pixels[row * picture.width + column];
  const border = at(0, y);
  const rights = [at(x + width - 1, y + height - 1), at(x + width - 1, y)];
  expect([at(x - 1, y + height - 1), at(x, y - 1), at(x + width, y), at(x, y + height)]).toEqual(Array(4).fill(border));
  for (const inside of [at(x, y), at(x, y + height - 1), ...rights]) expect(inside).not.toBe(border);
  await own.close();
});
