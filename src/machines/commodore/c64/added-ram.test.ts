import { describe, expect, test } from 'vitest';
import { assemble } from '../../../formats/commodore/assembler/assemble.ts';
import { c64Roms } from '../roms/c64-roms.generated.ts';
import { C64Board, type C64BoardOptions } from './c64-board.ts';

const boardWith = (options: Partial<C64BoardOptions>) => new C64Board({ roms: c64Roms, ...options });

/** Runs this from $0C00 on, where no bank but the lowest of a +256K reaches. */
function run(board: C64Board, source: string, cycles = 500): void {
  const { origin, bytes, errors } = assemble(`* = $0c00\n sei\n${source}\nend jmp end\n`);
  expect(errors).toEqual([]);
  board.ram.set(bytes, origin);
  board.cpu.jump(origin);
  board.runCycles(cycles);
}

/** Writes in both banks, with the KERNAL and I/O away. */
const inBothBanks = (register: string) => `
        lda #$37
        sta 1
        sta 0
        lda #$80
        sta ${register}
        lda #$22
        sta $2000
        ldx #$34
        stx 1
        sta $ffff
        sta $d800
        ldx #$37
        stx 1
        lda #$00
        sta ${register}
        lda #$11
        sta $2000
        inc $2000`;

describe('+60K', () => {
  for (const [ramBanks, register, mirror] of [
    ['plus60k', '$d100', 0xd1ff],
    ['plus60k-d040', '$d040', 0xd0c0],
  ] as const) {
    test(`${ramBanks}: bit 7 of ${register} lays other RAM over $1000-$FFFF, for the processor alone`, () => {
      const board = boardWith({ ramBanks });
      run(board, inBothBanks(register));
      const added = board.expansionRam.of('plus60k')?.bytes ?? new Uint8Array();
      expect(added).toHaveLength(0xf000);
      expect([added[0x1000], added[0xefff], added[0xc800]]).toEqual([0x22, 0x22, 0x22]);
      expect([board.ram[0x2000], board.peek('cpu', 0x2000)]).toEqual([0x12, 0x12]);
      board.write(mirror, 0x80);
      expect([board.read(0x2000), board.read(mirror), board.peek('vic', 0x2000)]).toEqual([0x22, 0xff, 0x12]);
      board.poke('cpu', 0x2001, 0x33);
      board.write(0x0800, 0x44);
      expect([added[0x1001], board.ram[0x0800], board.read(0x0800)]).toEqual([0x33, 0x44, 0x44]);
      expect([board.registersAt(mirror), board.registersAt(0xd3ff)].map((found) => found.length)).toEqual([0, 1]);
      board.reset();
      expect(board.read(0x2000)).toBe(0x12);
    });
  }

  test('a copy of the state has what programs wrote past everybody, and another machine takes it over', () => {
    const [board, other] = [boardWith({ ramBanks: 'plus60k' }), boardWith({ ramBanks: 'plus60k' })];
    const empty = board.snapshot();
    const atFirst = board.expansionRam.of('plus60k')?.bytes[0x7000];
    run(board, 'lda #$80\n sta $d100\n lda #1\n sta $8000');
    const one = board.snapshot();
    run(board, 'lda #2\n sta $8000');
    const two = board.snapshot();
    for (const [copy, value] of [
      [one, 1],
      [two, 2],
      [one, 1],
    ] as const) {
      board.restore(copy);
      expect(board.read(0x8000)).toBe(value);
    }
    board.restore(empty);
    expect(board.expansionRam.of('plus60k')?.bytes[0x7000]).toBe(atFirst);
    for (const image of board.imagesIn(two)) other.expansionRam.remember(image);
    other.restore(two.slice());
    expect(other.read(0x8000)).toBe(2);
    board.powerUp();
    expect(Buffer.compare(board.snapshot(), boardWith({ ramBanks: 'plus60k' }).snapshot())).toBe(0);
  });
});

describe('+256K', () => {
  /** Puts the number of each bank into it, below $1000 and above, with code that lies above. */
  const marks = `
        ldx #copied-moved-1
copy    lda moved,x
        sta $c000,x
        dex
        bpl copy
        jmp $c000
moved   ldx #3
next    txa
        sta $d100
        sta $0a00
        sta $0700
        dex
        bpl next-moved+$c000
        ldx #0
        stx $d100
        jmp end
copied`.replace('bpl next-moved+$c000', 'bpl next');

  test('banks for the upper and the lower part, and one for the VIC-II', () => {
    const board = boardWith({ ramBanks: 'plus256k' });
    run(board, marks, 1500);
    for (const bank of [1, 2, 3, 0]) {
      board.write(0xd100, bank << 6);
      board.write(0x5000, 0x50 + bank);
    }
    for (const [register, low, high, vic] of [
      [0x00, 0, 0x50, 0],
      [0x41, 1, 0x51, 0],
      [0xc6, 2, 0x53, 1],
      [0x0b, 3, 0x50, 2],
      [0x0f, 3, 0x50, 3],
    ] as const) {
      board.write(0xd100, register);
      expect([board.read(0x0a00), board.read(0x5000), board.peek('vic', 0x0a00)]).toEqual([low, high, vic]);
    }
    board.write(0xdd00, 0);
    board.write(0xd100, 0x04 | 0x10);
    board.write(0xd100, 0xff);
    expect([board.read(0xd100), board.read(0x5000), board.peek('vic', 0x0a00)]).toEqual([0xff, 0x50, 1]);
    board.reset();
    board.write(0xd100, 0x40);
    expect(board.read(0x5000)).toBe(0x51);
  });

  test('a picture in another bank is the same on the lazy machine and the eager one while it is written', () => {
    const pictures = [false, true].map((eager) => {
      const board = boardWith({ ramBanks: 'plus256k', eager });
      run(
        board,
        `lda #6
        sta $d021
        lda #$1b
        sta $d011
        lda #$58
        sta $d018
        lda #$44
loop    sta $d100
        inc $1400
        inc $1500,x
        inx
        eor #$40
        jmp loop`,
        60_000,
      );
      return board.visibleFrame().pixels;
    });
    expect(Buffer.compare(pictures[0] as Uint8Array, pictures[1] as Uint8Array)).toBe(0);
    expect(new Set(pictures[0]).size).toBeGreaterThan(1);
  });
});

describe('DQBB', () => {
  test('RAM in place of ROM, in banks, written only when the register says so', () => {
    const board = boardWith({ dqbb: 32 });
    expect([board.memory.isCartridge(0x8000), board.memory.isCartridge(0xa000)]).toEqual([true, false]);
    const first = board.read(0x8000);
    board.write(0x8000, first ^ 1);
    expect([board.read(0x8000), board.ram[0x8000]]).toEqual([first, first ^ 1]);
    board.write(0xde00, 0x14);
    board.write(0x8000, 0x81);
    board.poke('cpu', 0xbfff, 0xbf);
    board.write(0xdeff, 0x15);
    board.write(0x8000, 0x91);
    expect(board.read(0x8000)).toBe(0x91);
    const { bytes } = board.expansionRam.of('dqbb') ?? { bytes: [] };
    expect([bytes.length, bytes[0], bytes[0x3fff], bytes[0x4000]]).toEqual([0x8000, 0x81, 0xbf, 0x91]);
    board.write(0xde00, 0x80);
    expect([board.read(0x8000), board.read(0xa000)]).toEqual([0x91, c64Roms.basic[0]]);
    board.reset();
    expect(board.read(0x8000)).toBe(0x81);
  });

  test('a copy of the state shows the bank that was in place', () => {
    const board = boardWith({ dqbb: 16 });
    board.write(0xde00, 0x14);
    board.write(0xa001, 0x42);
    const copy = board.snapshot();
    board.write(0xa001, 0x43);
    board.reset();
    board.restore(copy);
    expect(board.read(0xa001)).toBe(0x42);
  });
});

describe('RAMCart', () => {
  test('pages of two banks at $DF00, which outlive the power', () => {
    const board = boardWith({ ramCart: 128 });
    board.write(0xde00, 0x12);
    board.write(0xde01, 0x01);
    board.write(0xdf34, 0x56);
    board.powerUp();
    expect(board.expansionRam.of('ramcart')?.bytes[0x11234]).toBe(0x56);
    board.write(0xde02, 0x12);
    board.write(0xdeff, 0x7f);
    expect([board.read(0xdf34), board.read(0xde00), board.read(0xde01) & 0x81]).toEqual([0x56, 0x12, 0x01]);
    const small = boardWith({ ramCart: 64 });
    small.write(0xde01, 0x01);
    expect([small.read(0xde01), small.expansionRam.of('ramcart')?.bytes.length]).toEqual([0, 0x10000]);
  });

  test('read-only: nothing is written, and the page starts as a cartridge does unless bit 7 is set', () => {
    const board = boardWith({ ramCart: 128 });
    run(board, 'lda #$55\n sta $8000\n sta $8100');
    board.write(0xdf00, 0xaa);
    const { ramCart } = board.fittedMemory;
    board.fitMemory({ ...board.fittedMemory, ramCart: { ...ramCart, isReadOnly: true } });
    board.write(0xdf00, 0xbb);
    expect([board.read(0xdf00), board.read(0x8000), board.read(0x8100)]).toEqual([0xaa, 0xaa, 0x55]);
    board.write(0x8000, 0x66);
    expect([board.read(0x8000), board.ram[0x8000]]).toEqual([0xaa, 0x66]);
    board.write(0xde01, 0x80);
    expect(board.read(0x8000)).toBe(0x66);
  });
});

describe('ISEPIC', () => {
  test('its switch, turned towards the computer, takes NMI into the page that any access has chosen', () => {
    const board = boardWith({ isepic: 'off' });
    run(board, 'inc $d020');
    board.write(0xdf00, 0x11);
    expect(board.expansionRam.of('isepic')?.bytes[0]).toBe(0);
    board.expansionRam.of('isepic')?.set(0x6fa, Uint8Array.of(0x00, 0xdf));
    // INC $D021 and around again, where the page of number 6 shows.
    board.expansionRam.of('isepic')?.set(0x600, Uint8Array.of(0xee, 0x21, 0xd0, 0x4c, 0x00, 0xdf));
    const before = board.snapshot();
    expect([board.canFreeze, board.freeze()]).toEqual([true, true]);
    board.read(0xde0b);
    expect([board.read(0x9f01), board.read(0xfffb), board.read(0xfffc)]).toEqual([0x21, 0xdf, c64Roms.kernal[0x1ffc]]);
    expect([board.peek('cpu', 0xfffb), board.peek('cpu', 0xfffd)]).toEqual([0xdf, c64Roms.kernal[0x1ffd]]);
    const colour = board.vic.peek(0x21);
    board.runCycles(60);
    expect(board.vic.peek(0x21)).not.toBe(colour);
    board.write(0x8005, 0x99);
    expect([board.read(0xdf05), board.ram[0x8005]]).not.toEqual([0x99, 0x99]);
    expect(board.read(0xdf05)).toBe(0x99);
    board.freeze();
    expect([board.read(0x8005), board.read(0xfffb)]).toEqual([board.ram[0x8005], c64Roms.kernal[0x1ffb]]);
    board.restore(before);
    expect(board.expansionRam.of('isepic')?.bytes[0x605]).toBe(0xdf);
  });
});

test('memory that is fitted later is that of a machine built with it', () => {
  const board = boardWith({});
  const plain = board.fittedMemory;
  const built = { dqbb: 64, ramCart: 64, isepic: 'on', ramBanks: 'plus256k' } as const;
  const expected = boardWith(built);
  board.fitMemory(expected.fittedMemory);
  board.powerUp();
  expect(Buffer.compare(board.snapshot(), expected.snapshot())).toBe(0);
  board.write(0xd100, 0x41);
  board.fitMemory(plain);
  board.powerUp();
  expect(Buffer.compare(board.snapshot(), boardWith({}).snapshot())).toBe(0);
  expect(board.registersAt(0xd100)).toHaveLength(1);
});
