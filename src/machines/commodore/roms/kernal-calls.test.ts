import { describe, expect, test } from 'vitest';
import { RomBench } from './rom-bench-testing.ts';

const ram = (bench: RomBench, address: number, length: number) =>
  Array.from(bench.board.ram.subarray(address, address + length));

describe('screen calls', () => {
  test('CHROUT keeps the registers and obeys colour, reverse and cursor codes', () => {
    const bench = RomBench.ready();
    const left = bench.call(`
        ldx #0
@next   lda text,x
        beq done
        jsr $ffd2
        inx
        bne @next
done    lda #$41
        ldx #$42
        ldy #$43
        jsr $ffd2
        rts
text    .byte $93,$1c,$41,$12,$42,$92,$9e,$43,$11,$44,$9d,$9d,$45,$13,$46,$0d,$47,0`);
    expect(left).toMatchObject({ a: 0x41, x: 0x42, y: 0x43, c: 0 });
    expect(ram(bench, 0x400, 4)).toEqual([6, 0x82, 3, 0x20]);
    expect([bench.board.color[1], bench.board.color[2]]).toEqual([2, 7]);
    expect(ram(bench, 0x428, 4)).toEqual([7, 1, 5, 4]);
  });

  test('PLOT reads and sets the cursor, SCREEN and IOBASE tell the machine', () => {
    const bench = RomBench.ready();
    expect(bench.call('clc\nldx #10\nldy #20\njsr $fff0\nlda #$51\njsr $ffd2\nsec\njmp $fff0')).toMatchObject({
      x: 10,
      y: 21,
    });
    expect(bench.board.ram[0x400 + 10 * 40 + 20]).toBe(0x11);
    expect(bench.call('jmp $ffed')).toMatchObject({ x: 40, y: 25 });
    expect(bench.call('jmp $fff3')).toMatchObject({ x: 0, y: 0xdc });
  });

  test('scrolling and opening rows leave $AC-$AF, which LOAD and SAVE use while they print', () => {
    const bench = RomBench.ready();
    const keeps = (output: string) => {
      bench.call(
        `ldx #3\n@set txa\nsta $ac,x\ndex\nbpl @set\n${output}\nldx #3\n@get lda $ac,x\nsta $cf00,x\ndex\nbpl @get\nrts`,
      );
      expect(ram(bench, 0xcf00, 4)).toEqual([0, 1, 2, 3]);
    };
    keeps('clc\nldx #24\nldy #0\njsr $fff0\nlda #13\njsr $ffd2');
    keeps('clc\nldx #3\nldy #39\njsr $fff0\nlda #$41\njsr $ffd2\njsr $ffd2');
  });

  test('CINT, and the addresses that cc65 programs call: $E544, $E5B4, $EA24', () => {
    const bench = RomBench.ready();
    bench.call('lda #5\nsta $d021\njsr $ff81\nrts');
    expect(bench.board.vic.peek(0x21) & 15).toBe(6);
    expect(bench.text()).toBe('');
    bench.call('lda #$41\njsr $ffd2\njsr $e544\nrts');
    expect(bench.text()).toBe('');
    expect(bench.call('sei\nldx #2\nstx $c6\nlda #$51\nsta $0277\njsr $e5b4\nrts')).toMatchObject({ a: 0x51 });
    expect(bench.board.ram[0xc6]).toBe(1);
    bench.call('ldx #3\nldy #0\nclc\njsr $fff0\nlda #0\nsta $f3\njsr $ea24\nrts');
    expect(ram(bench, 0xf3, 2)).toEqual([0x78, 0xd8]);
  });
});

describe('keyboard and clock', () => {
  test('GETIN takes from the buffer and gives 0 when it is empty', () => {
    const bench = RomBench.ready();
    expect(bench.call('lda #0\nsta $c6\njmp $ffe4')).toMatchObject({ a: 0, c: 0 });
    expect(bench.call('lda #1\nsta $c6\nlda #$58\nsta $0277\njmp $ffe4')).toMatchObject({ a: 0x58, c: 0 });
  });

  test('SCNKEY finds the key that is down, STOP tells RUN/STOP', () => {
    const bench = RomBench.ready();
    bench.hold(true, 'q');
    bench.call('sei\nlda #0\nsta $c6\nlda #$40\nsta $c5\njsr $ff9f\nrts');
    expect([bench.board.ram[0xcb], bench.board.ram[0xc6], bench.board.ram[0x277]]).toEqual([62, 1, 0x51]);
    bench.hold(false, 'q');
    expect(bench.call('sei\njsr $ffea\njsr $ffe1\nphp\npla\nand #2\nrts').a).toBe(0);
    bench.hold(true, 'stop');
    expect(bench.call('sei\njsr $ffea\njsr $ffe1\nphp\npla\nand #2\nrts').a).toBe(2);
  });

  test('SETTIM, RDTIM and UDTIM, which starts again after a day', () => {
    const bench = RomBench.ready();
    expect(bench.call('sei\nlda #3\nldx #2\nldy #1\njsr $ffdb\nsei\njmp $ffde')).toMatchObject({ a: 3, x: 2, y: 1 });
    expect(bench.call('sei\nlda #$ff\nldx #$19\nldy #$4f\njsr $ffdb\nsei\njsr $ffea\njmp $ffde')).toMatchObject({
      a: 0,
      x: 0,
      y: 0,
    });
  });

  test('CHRIN gives a typed line character by character, then RETURN', () => {
    const bench = RomBench.ready();
    bench.board.ram.set([0x48, 0x49, 0x0d], 0x277);
    bench.board.ram[0xc6] = 3;
    bench.call('ldx #0\n@next jsr $ffcf\nsta $cf00,x\ninx\ncmp #13\nbne @next\nrts', 500_000);
    expect(ram(bench, 0xcf00, 3)).toEqual([0x48, 0x49, 0x0d]);
  });
});

describe('memory, vectors, interrupts', () => {
  test('MEMTOP, MEMBOT, SETMSG, READST, SETLFS, SETNAM, SETTMO', () => {
    const bench = RomBench.ready();
    expect(bench.call('sec\njmp $ff99')).toMatchObject({ x: 0, y: 0xa0 });
    expect(bench.call('clc\nldx #0\nldy #$80\njsr $ff99\nsec\njmp $ff99')).toMatchObject({ x: 0, y: 0x80 });
    expect(bench.call('sec\njmp $ff9c')).toMatchObject({ x: 0, y: 8 });
    bench.call(
      'lda #4\nldx #8\nldy #15\njsr $ffba\nlda #3\nldx #$34\nldy #$12\njsr $ffbd\nlda #$40\njsr $ff90\nlda #7\njmp $ffa2',
    );
    expect(ram(bench, 0xb7, 6)).toEqual([3, 4, 15, 8, 0x34, 0x12]);
    expect([bench.board.ram[0x9d], bench.board.ram[0x285]]).toEqual([0x40, 7]);
    expect(bench.call('lda #$55\nsta $90\nlda #0\njmp $ffb7').a).toBe(0x55);
  });

  test('RESTOR and VECTOR copy the sixteen vectors', () => {
    const bench = RomBench.ready();
    bench.call('sei\nlda #0\nsta $0326\njsr $ff8a\nsec\nldx #0\nldy #$cf\njsr $ff8d\nrts');
    const words = Array.from({ length: 16 }, (_, i) => ram(bench, 0xcf00 + i * 2, 2).reverse());
    expect(words.map(([high = 0, low = 0]) => high * 256 + low)).toEqual([
      0xea31, 0xfe66, 0xfe47, 0xf34a, 0xf291, 0xf20e, 0xf250, 0xf333, 0xf157, 0xf1ca, 0xf6ed, 0xf13e, 0xf32f, 0xfe66,
      0xf4a5, 0xf5ed,
    ]);
    bench.call('sei\nlda #$12\nsta $cf00\nclc\nldx #0\nldy #$cf\njsr $ff8d\nrts');
    expect(bench.board.ram[0x314]).toBe(0x12);
  });

  test('a program at $0314 sees every interrupt and leaves through $EA31 or $EA81', () => {
    const bench = RomBench.ready();
    bench.call('sei\nlda #<irq\nsta $0314\nlda #>irq\nsta $0315\ncli\nrts\nirq inc $cf00\njmp $ea31');
    bench.board.ram[0xcf00] = 0;
    bench.frames(50);
    expect(bench.board.ram[0xcf00]).toBeGreaterThan(55);
    expect(bench.command('print 7')).toContain(' 7');
    bench.call('sei\nlda #<irq\nsta $0314\nlda #>irq\nsta $0315\ncli\nrts\nirq inc $cf01\nlda $dc0d\njmp $ea81');
    const clock = bench.board.ram[0xa2];
    bench.board.ram[0xcf01] = 0;
    bench.frames(20);
    expect(bench.board.ram[0xcf01]).toBeGreaterThan(20);
    expect(bench.board.ram[0xa2]).toBe(clock);
  });

  test('BRK goes through $0316', () => {
    const bench = RomBench.ready();
    expect(
      bench.call(
        'lda #<brk_here\nsta $0316\nlda #>brk_here\nsta $0317\nbrk\nbrk_here pla\npla\npla\npla\npla\npla\nlda #99\nrts',
      ).a,
    ).toBe(99);
  });
});

describe('devices', () => {
  test('files on screen and keyboard, and the errors of the file table', () => {
    const bench = RomBench.ready();
    const open = (number: number, device: number) =>
      bench.call(`lda #0\njsr $ffbd\nlda #${number}\nldx #${device}\nldy #0\njsr $ffba\njmp $ffc0`);
    expect(open(2, 3).c).toBe(0);
    expect(open(2, 3)).toMatchObject({ c: 1, a: 2 });
    expect(bench.call('ldx #2\njmp $ffc9').c).toBe(0);
    expect(bench.board.ram[0x9a]).toBe(3);
    expect(bench.call('ldx #9\njmp $ffc6')).toMatchObject({ c: 1, a: 3 });
    expect(open(3, 0).c).toBe(0);
    expect(bench.call('ldx #3\njmp $ffc9')).toMatchObject({ c: 1, a: 7 });
    expect(bench.call('lda #2\njmp $ffc3').c).toBe(0);
    expect(bench.board.ram[0x98]).toBe(1);
    bench.call('jsr $ffe7\njmp $ffcc');
    expect(ram(bench, 0x98, 3)).toEqual([0, 0, 3]);
    expect(open(0, 3)).toMatchObject({ c: 1, a: 6 });
    for (let file = 1; file <= 10; file += 1) expect(open(file, 3).c).toBe(0);
    expect(open(11, 3)).toMatchObject({ c: 1, a: 1 });
  });

  test('reading the screen as device 3', () => {
    const bench = RomBench.ready();
    bench.call('lda #$93\njsr $ffd2\nlda #$58\njsr $ffd2\nlda #$59\njsr $ffd2\nlda #$13\njmp $ffd2');
    bench.call(
      'lda #0\njsr $ffbd\nlda #4\nldx #3\njsr $ffba\njsr $ffc0\nldx #4\njsr $ffc6\njsr $ffcf\nsta $cf00\njsr $ffcf\nsta $cf01\njmp $ffcc',
    );
    expect(ram(bench, 0xcf00, 2)).toEqual([0x58, 0x59]);
  });

  test('nobody on the serial bus: status $80 and error 5; no programs from RS-232 or the screen', () => {
    const bench = RomBench.ready();
    bench.call('lda #0\nsta $90\nlda #8\njmp $ffb1');
    expect(bench.board.ram[0x90]).toBe(0x80);
    const load = (device: number) =>
      bench.call(
        `lda #1\nldx #<name\nldy #>name\njsr $ffbd\nlda #1\nldx #${device}\nldy #1\njsr $ffba\nlda #0\njmp $ffd5\nname .byte $58`,
      );
    expect(load(8)).toMatchObject({ c: 1, a: 5 });
    expect(load(2)).toMatchObject({ c: 1, a: 9 });
    expect(load(3)).toMatchObject({ c: 1, a: 9 });
    expect(bench.call('lda #0\njsr $ffbd\nlda #1\nldx #8\njsr $ffba\nlda #0\njmp $ffd5')).toMatchObject({ c: 1, a: 8 });
    expect(
      bench.call(
        'lda #1\nldx #0\nldy #$c1\njsr $ffbd\nlda #1\nldx #8\njsr $ffba\nlda #$2b\nldx $2d\nldy $2e\njmp $ffd8',
      ),
    ).toMatchObject({ c: 1, a: 5 });
  });
});
