import { describe, expect, test } from 'vitest';
import { RomBench } from './rom-bench-testing.ts';

const cell = (bench: RomBench, address: number) => bench.board.ram[address];

describe('start', () => {
  test('the machine comes up to READY. in light blue on blue', () => {
    const bench = new RomBench();
    bench.boot();
    expect(bench.text()).toContain('**** FRONTPANEL 64 ****');
    expect(bench.text()).toContain('38911 BYTES FREE');
    expect(bench.text().endsWith('READY.')).toBe(true);
    expect(bench.board.vic.peek(0x20) & 15).toBe(14);
    expect(bench.board.vic.peek(0x21) & 15).toBe(6);
    expect(bench.board.color[0x30]).toBe(14);
    expect([bench.board.peek('cpu', 0), bench.board.peek('cpu', 1)]).toEqual([0x2f, 0x37]);
    expect([cell(bench, 0x2b), cell(bench, 0x2c)]).toEqual([0x01, 0x08]);
    expect([cell(bench, 0x281), cell(bench, 0x282), cell(bench, 0x283), cell(bench, 0x284)]).toEqual([0, 8, 0, 0xa0]);
  });

  test.each([
    ['6569', 1, 0x4025],
    ['6567', 0, 0x4295],
  ] as const)('the %s is told from its raster, and the interrupt timer set for it', (vic, flag, latch) => {
    const bench = new RomBench(vic);
    bench.boot();
    expect(cell(bench, 0x2a6)).toBe(flag);
    const clock = cell(bench, 0xa2) ?? 0;
    const start = bench.board.cycles;
    bench.board.runCycles(latch * 30);
    expect(bench.board.cycles - start).toBe(latch * 30);
    expect(((cell(bench, 0xa2) ?? 0) - clock) & 255).toBe(30);
  });

  test('a cartridge with CBM80 takes over', () => {
    const bench = new RomBench();
    const roml = new Uint8Array(8192);
    roml.set([0x09, 0x80, 0x09, 0x80, 0xc3, 0xc2, 0xcd, 0x38, 0x30, 0xee, 0x20, 0xd0, 0x4c, 0x09, 0x80]);
    bench.board.insertCartridge({ mapping: { roml, game: 1, exrom: 0 } });
    bench.board.reset();
    expect(bench.board.runUntilPc(0x8009, 10_000)).toBe(true);
  });

  test('RUN/STOP with RESTORE starts afresh and keeps the program', () => {
    const bench = RomBench.ready();
    bench.command('10 REM');
    bench.command('POKE 53280,2');
    bench.hold(true, 'stop');
    bench.frames(2);
    bench.board.setRestore(true);
    bench.frames(2);
    bench.board.setRestore(false);
    bench.hold(false, 'stop');
    bench.frames(10);
    expect(bench.text()).toBe('\nREADY.');
    expect(bench.board.vic.peek(0x20) & 15).toBe(14);
    expect(bench.command('LIST')).toContain('10 REM');
  });

  test('RESTORE alone changes nothing', () => {
    const bench = RomBench.ready();
    bench.type('abc');
    bench.board.setRestore(true);
    bench.frames(2);
    bench.board.setRestore(false);
    bench.type('d');
    expect(bench.text()).toContain('READY.\nABCD');
  });
});

describe('keyboard', () => {
  test('all kinds of shift', () => {
    const bench = RomBench.ready();
    bench.type('a');
    bench.press('shift', 'a');
    bench.press('rshift', 'b');
    bench.press('cbm', 'a');
    bench.press('ctrl', '3');
    bench.type('r');
    const row = bench.board.ram.subarray(0x400 + 6 * 40, 0x400 + 6 * 40 + 5);
    expect(Array.from(row)).toEqual([1, 0x41, 0x42, 0x70, 0x12]);
    expect(bench.board.color[6 * 40 + 4]).toBe(2);
  });

  test('SHIFT with C= changes the character set, unless it is locked', () => {
    const bench = RomBench.ready();
    bench.press('shift', 'cbm');
    expect(bench.board.vic.peek(0x18) & 2).toBe(2);
    bench.press('shift', 'cbm');
    expect(bench.board.vic.peek(0x18) & 2).toBe(0);
    bench.command('print chr$(8)');
    bench.press('shift', 'cbm');
    expect(bench.board.vic.peek(0x18) & 2).toBe(0);
  });

  test('the space bar repeats, letters do not until asked', () => {
    const bench = RomBench.ready();
    bench.hold(true, ' ');
    bench.frames(50);
    bench.hold(false, ' ');
    bench.frames(3);
    const spaces = cell(bench, 0xd3) ?? 0;
    expect(spaces).toBeGreaterThan(5);
    bench.hold(true, 'a');
    bench.frames(50);
    bench.hold(false, 'a');
    bench.frames(3);
    expect(cell(bench, 0xd3)).toBe(spaces + 1);
    bench.board.ram[0x28a] = 0x80;
    bench.hold(true, 'b');
    bench.frames(50);
    expect(cell(bench, 0xd3)).toBeGreaterThan(spaces + 5);
  });

  test('keys wait in the buffer, ten at most', () => {
    const bench = RomBench.ready();
    bench.type('for i=1 to 3000:next\n');
    bench.type('abcdefghijkl');
    expect(cell(bench, 0xc6)).toBe(10);
    expect(Array.from(bench.board.ram.subarray(0x277, 0x281), (code) => String.fromCharCode(code)).join('')).toBe(
      'ABCDEFGHIJ',
    );
  });
});

describe('screen editor', () => {
  const edited = (edit: (bench: RomBench) => void) => {
    const bench = RomBench.ready();
    bench.press('shift', 'home');
    edit(bench);
    return bench;
  };
  const times = (bench: RomBench, count: number, ...keys: Parameters<RomBench['press']>) => {
    for (let i = 0; i < count; i += 1) bench.press(...keys);
  };

  test('DEL and INST move the rest of the line', () => {
    const bench = edited((b) => {
      b.type('hello');
      times(b, 2, 'shift', 'right');
      b.press('del');
      b.press('shift', 'del');
      b.press('shift', 'del');
      b.type('xy');
    });
    expect(bench.text()).toBe('HEXYLO');
  });

  test('a line grows over two rows and pushes the next one down', () => {
    const bench = edited((b) => {
      b.type('one\n');
      b.frames(20);
      b.press('shift', 'home');
      b.press('down');
      b.type('two');
      b.press('home');
      b.type('w'.repeat(45));
    });
    expect(bench.text()).toBe(`${'W'.repeat(40)}\nWWWWW\nTWO`);
    expect(cell(bench, 0xd5)).toBe(79);
    expect([cell(bench, 0xd3), cell(bench, 0xd6)]).toEqual([45, 1]);
    expect((cell(bench, 0xda) ?? 0) & 0x80).toBe(0);
  });

  test('control codes inside quotes are shown, and DEL still deletes', () => {
    const bench = edited((b) => {
      b.type('"');
      b.press('right');
      b.press('shift', 'home');
      b.type('ab');
      b.press('del');
    });
    expect(Array.from(bench.board.ram.subarray(0x400, 0x404))).toEqual([0x22, 0x9d, 0xd3, 0x01]);
    expect([cell(bench, 0xd3), (cell(bench, 0x404) ?? 0) & 0x7f]).toEqual([4, 0x20]);
  });

  test('the screen scrolls at its end', () => {
    const bench = edited((b) => {
      b.type('top');
      times(b, 24, 'down');
      b.type('last');
      b.press('down');
      b.type('x');
    });
    const rows = bench.text().split('\n');
    expect(rows[0]).toBe('');
    expect(rows[23]).toBe('   LAST');
    expect(rows[24]).toBe('       X');
  });

  test('RETURN takes the whole line, wherever the cursor is', () => {
    const bench = edited((b) => {
      b.type('print 12');
      times(b, 3, 'shift', 'right');
      b.type('\n');
      b.frames(5);
    });
    expect(bench.text()).toBe('PRINT 12\n 12\n\nREADY.');
  });

  test('the cursor blinks and leaves what is under it', () => {
    const bench = edited((b) => b.type('ab'));
    bench.press('shift', 'right');
    const seen = new Set<number>();
    for (let i = 0; i < 60; i += 1) {
      bench.frames(1);
      seen.add(bench.board.ram[0x401] ?? 0);
    }
    expect([...seen].sort((a, b) => a - b)).toEqual([0x02, 0x82]);
    bench.press('right');
    expect(bench.board.ram[0x401]).toBe(0x02);
  });
});
