import { describe, expect, test } from 'vitest';
import { tokenise } from '../../../formats/commodore/basic/tokenise.ts';
import { pulsesOf, tapFile } from '../../../formats/commodore/media/cbm-tape-testing.ts';
import { CommodoreDisk } from '../../../formats/commodore/media/commodore-disk.ts';
import { vic20RomSymbols } from '../roms/vic20-roms.generated.ts';
import { Vic20Bench } from './vic20-bench-testing.ts';

const cell = (bench: Vic20Bench, address: number) => bench.board.ram[address];
const program = (text: string) => tokenise(text, { letters: 'upper' }).bytes.subarray(2);

describe('start', () => {
  test.each([
    ['none', '3583', 0x1001, 0x1e],
    ['3k', '6655', 0x0401, 0x1e],
    ['8k', '11775', 0x1201, 0x10],
    ['16k', '19967', 0x1201, 0x10],
    ['24k', '28159', 0x1201, 0x10],
  ] as const)('with %s more: %s bytes free', (expansion, free, start, page) => {
    const bench = new Vic20Bench({ expansion }).boot();
    expect(bench.text()).toContain(`${free} BYTES FREE`);
    expect((cell(bench, 0x2b) ?? 0) | ((cell(bench, 0x2c) ?? 0) << 8)).toBe(start);
    expect(cell(bench, 0x288)).toBe(page);
  });

  test.each([
    ['6561', 0x4826 + 2, [12, 38]],
    ['6560', 0x4289 + 2, [5, 25]],
  ] as const)('the %s is told from its raster: timer and picture fit', (vic, period, origin) => {
    const bench = new Vic20Bench({ vic }).boot();
    const clock = cell(bench, 0xa2) ?? 0;
    bench.board.runCycles(period * 30);
    expect(((cell(bench, 0xa2) ?? 0) - clock) & 255).toBe(30);
    expect([bench.board.vic.peek(0), bench.board.vic.peek(1)]).toEqual(origin);
  });

  test('blue on white with a cyan border', () => {
    const { board } = new Vic20Bench().boot();
    const { width, height, pixels } = board.visibleFrame();
    expect(pixels[0]).toBe(3);
    expect(new Set(pixels)).toEqual(new Set([1, 3, 6]));
    expect(pixels[(height >> 1) * width + (width >> 1)]).toBe(1);
  });

  test('a cartridge with A0CBM takes over', () => {
    const bench = new Vic20Bench();
    const bytes = Uint8Array.of(0x09, 0xa0, 0x09, 0xa0, 0x41, 0x30, 0xc3, 0xc2, 0xcd, 0xee, 0x0f, 0x90, 0x4c, 9, 0xa0);
    bench.board.insertCartridge([{ address: 0xa000, bytes }]);
    bench.board.reset();
    expect(bench.board.runUntilPc(0xa009, 10_000)).toBe(true);
    bench.board.insertCartridge(undefined);
    bench.board.reset();
    expect(bench.boot().text()).toContain('READY.');
  });

  test('routines stand at their published addresses', () => {
    const { reset, cold_start, scan_keys, serial_in, load_file, irq_exit } = vic20RomSymbols;
    expect([reset, cold_start, scan_keys, serial_in]).toEqual([0xfd22, 0xe378, 0xeb1e, 0xef19]);
    expect([load_file, irq_exit]).toEqual([0xf549, 0xeb18]);
    const { board } = new Vic20Bench().boot();
    const vector = (address: number) => (board.ram[address] ?? 0) | ((board.ram[address + 1] ?? 0) << 8);
    const vectors = [
      0x314, 0x316, 0x318, 0x31a, 0x31c, 0x31e, 0x320, 0x322, 0x324, 0x326, 0x328, 0x32a, 0x32c, 0x330, 0x332,
    ];
    expect(vectors.map(vector)).toEqual([
      0xeabf, 0xfed2, 0xfead, 0xf40a, 0xf34a, 0xf2c7, 0xf309, 0xf3f3, 0xf20e, 0xf27a, 0xf770, 0xf1f5, 0xf3ef, 0xf549,
      0xf685,
    ]);
  });

  test('RUN/STOP with RESTORE starts afresh and keeps the program, RESTORE alone changes nothing', () => {
    const bench = new Vic20Bench().boot();
    bench.command('10 REM');
    bench.command('poke 36879,42');
    bench.board.setRestore(true);
    bench.frames(2);
    bench.board.setRestore(false);
    bench.frames(2);
    expect(bench.board.vic.peek(15)).toBe(42);
    bench.hold(true, 'stop');
    bench.frames(2);
    bench.board.setRestore(true);
    bench.frames(2);
    bench.board.setRestore(false);
    bench.hold(false, 'stop');
    bench.frames(20);
    expect(bench.text()).toBe('\nREADY.');
    expect(bench.board.vic.peek(15)).toBe(0x1b);
    expect(bench.command('LIST')).toContain('10 REM');
  });
});

describe('keyboard and editor', () => {
  test('all kinds of shift', () => {
    const bench = new Vic20Bench().boot();
    bench.type('a');
    bench.press('lshift', 'a');
    bench.press('rshift', 'b');
    bench.press('cbm', 'a');
    bench.press('ctrl', '3');
    bench.type('r');
    const row = 0x1e00 + 5 * 22;
    expect(Array.from(bench.board.ram.subarray(row, row + 5))).toEqual([1, 0x41, 0x42, 0x70, 0x12]);
    expect(bench.board.color[(row + 4) & 0x3ff]).toBe(2);
    bench.press('lshift', 'cbm');
    expect(bench.board.vic.peek(5) & 15).toBe(2);
    bench.press('lshift', 'cbm');
    expect(bench.board.vic.peek(5) & 15).toBe(0);
  });

  test('a line grows over four rows and no further', () => {
    const bench = new Vic20Bench().boot();
    const text = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.repeat(4).slice(0, 88);
    bench.type(text.slice(0, 87));
    expect(bench.text().split('READY.\n')[1]).toBe((text.slice(0, 87).match(/.{1,22}/g) ?? []).join('\n'));
    expect([cell(bench, 0xd3), cell(bench, 0xd5), cell(bench, 0xd6)]).toEqual([87, 87, 8]);
    bench.type(text.slice(87));
    expect([cell(bench, 0xd3), cell(bench, 0xd6)]).toEqual([0, 9]);
    bench.press('left');
    expect(cell(bench, 0xd3)).toBe(87);
    for (let count = 0; count < 22; count += 1) bench.press('left');
    expect([cell(bench, 0xd3), cell(bench, 0xd6)]).toEqual([65, 7]);
    bench.press('down');
    expect([cell(bench, 0xd3), cell(bench, 0xd6)]).toEqual([87, 8]);
  });

  test('DEL and INST move what follows, over the rows of the line', () => {
    const bench = new Vic20Bench().boot();
    bench.type(`PRINT"${'0123456789'.repeat(3)}"`);
    for (let count = 0; count < 30; count += 1) bench.press('left');
    bench.press('del');
    bench.type('\n');
    bench.until(() => bench.text().split('READY.').length === 3, 100);
    expect(bench.text()).toContain(`PRINT"1234567890123456\n7890123456789"\n1234567890123456789012\n3456789`);
    bench.command(`PRINT"AC"`);
    bench.press('up');
    for (let count = 0; count < 3; count += 1) bench.press('up');
    for (let count = 0; count < 7; count += 1) bench.press('right');
    bench.press('inst');
    expect(bench.command('B')).toMatch(/PRINT"ABC"\nABC\n/);
  });

  test('the screen scrolls by whole lines', () => {
    const bench = new Vic20Bench().boot();
    const text = bench.command('FORI=1TO40:?I:NEXT');
    expect(text.split('\n').slice(-4)).toEqual([' 39', ' 40', '', 'READY.']);
    expect(text.split('\n')).toHaveLength(22);
  });

  test('BASIC computes, and PRINT has columns of eleven', () => {
    const bench = new Vic20Bench().boot();
    expect(bench.command('?6*7,SQR(2)')).toContain(' 42         1.41421356');
    expect(bench.command('?USR(1)')).toContain('?BAD VALUE');
  });
});

describe('the serial bus', () => {
  const disk = () => {
    const made = CommodoreDisk.create('d64', 'WORK', 'FP');
    made.write('HELLO', tokenise('10 PRINT "SO IT RUNS"\n').bytes);
    return made;
  };

  test('nobody there, a program loaded, another saved', () => {
    const bench = new Vic20Bench().boot();
    expect(bench.command('LOAD"X",8', 2000)).toContain('?DEVICE NOT PRESENT');
    bench.board.drives.attach(8, disk().image.bytes);
    expect(bench.command('LOAD"HELLO",8', 4000)).toMatch(/SEARCHING FOR HELLO\nLOADING\nREADY\.$/);
    expect(bench.command('RUN')).toContain('RUN\nSO IT RUNS');
    bench.command('10 PRINT 2');
    expect(bench.command('SAVE"TWO",8', 4000)).toContain('SAVING TWO');
    bench.command('NEW');
    bench.command('LOAD"TWO",8', 4000);
    expect(bench.command('RUN')).toMatch(/RUN\n 2\n/);
  });
});

describe('tape', { timeout: 120_000 }, () => {
  const tapeCommand = (bench: Vic20Bench, line: string, key: 'play' | 'record') => {
    bench.type(`${line}\n`);
    bench.until(() => /PRESS (PLAY ON TAPE|RECORD AND PLAY\s*)$/.test(bench.text().replaceAll('\n', ' ').trim()), 60);
    bench.board.tape.press(key);
    bench.hold(true, 'cbm');
    bench.frames(3);
    bench.until(() => {
      // The leaders of SAVE take thirteen seconds: let them pass more quickly.
      if (key === 'record' && (bench.board.ram[0x9c] ?? 0) > 2) bench.board.ram[0x9c] = 1;
      return bench.isWaiting;
    }, 4000);
    bench.hold(false, 'cbm');
    bench.frames(2);
    return bench.text();
  };

  test('what is saved can be verified and loaded', () => {
    const bench = new Vic20Bench().boot();
    bench.command('10 PRINT "FROM TAPE"');
    expect(tapeCommand(bench, 'SAVE"HELLO"', 'record')).toMatch(/SAVING HELLO\nREADY\.$/);
    bench.board.tape.press('rewind');
    expect(tapeCommand(bench, 'VERIFY', 'play')).toMatch(/FOUND HELLO\s+VERIFYING\s+OK\s+READY\.$/);
    bench.command('NEW');
    bench.board.tape.press('rewind');
    expect(tapeCommand(bench, 'LOAD', 'play')).toMatch(/FOUND HELLO\s+LOADING\nREADY\.$/);
    expect(bench.command('RUN')).toContain('RUN\nFROM TAPE');
  });

  test('tapes of a C64, whose cycles are longer, are read', () => {
    const bench = new Vic20Bench().boot();
    const body = program('10 PRINT "FROM TAPE"\n');
    bench.board.tape.insert(tapFile(pulsesOf({ name: 'HELLO', address: 0x801, body, leader: 300 })));
    expect(tapeCommand(bench, 'LOAD', 'play')).toMatch(/FOUND HELLO\s+LOADING\nREADY\.$/);
    expect(bench.command('RUN')).toContain('RUN\nFROM TAPE');
  });
});
