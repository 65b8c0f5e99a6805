import { expect, test } from 'vitest';
import { assemble } from '../../../formats/commodore/assembler/assemble.ts';
import { readCrt, writeCrt } from '../../../formats/commodore/media/crt.ts';
import { C64Board } from '../c64/c64-board.ts';
import { DiskShelf } from '../drive/disk-shelf.ts';
import { applyInput } from '../machine/input-event.ts';
import { c64Roms } from '../roms/c64-roms.generated.ts';
import { cartridgeFields } from './cartridge.ts';
import { cartridgeOf, cartridgeStateWords } from './cartridge-types.ts';

const easyFlash = (rom: Uint8Array) => {
  const bank = { type: 'flash', bank: 0, address: 0xa000, size: 0x2000, bytes: rom } as const;
  const file = { name: 'FLASH', version: 0x100, hardware: 32, hardwareName: 'EasyFlash', exrom: 1, game: 0 };
  const crt = readCrt(writeCrt({ ...file, chips: [bank] }));
  const state = new Int32Array(cartridgeStateWords(crt));
  const cartridge = cartridgeOf(crt, state, new DiskShelf());
  return {
    cartridge,
    state,
    at: (bank: number, address: number) => cartridge.peekRom(bank * 0x4000 + (address & 0x3fff)),
  };
};
const high = ({ at }: ReturnType<typeof easyFlash>) =>
  Array.from({ length: 0x2000 }, (_, index) => at(0, 0xa000 + index));

/** As images have it that leave room for a driver. */
const withRoom = () => {
  const rom = new Uint8Array(0x2000).fill(0xff);
  rom.set(Buffer.from('eapi', 'latin1'), 0x1800);
  return rom;
};

/** Calls the driver, which it copies to $2000, and keeps A, X, Y and the flags after each call from $0400 on. */
const program = (calls: string) => `
* = $0800
        sei
        lda #$37
        sta $01
        lda #$07
        sta $de02
        ldx #0
        stx $de00
copy    lda $b800,x
        sta $2000,x
        lda $b900,x
        sta $2100,x
        lda $ba00,x
        sta $2200,x
        inx
        bne copy
        lda #0
        sta $fe
        lda #$5a
        sta $fb
        sta $fc
        jsr $2014
        jsr log
${calls}
        jmp *
log     php
        stx xAfter+1
        ldx $fe
        sta $0400,x
xAfter  lda #0
        sta $0401,x
        tya
        sta $0402,x
        pla
        sta $0403,x
        txa
        clc
        adc #4
        sta $fe
        rts
`;
const routines = { write: 0, erase: 3, setBank: 6, getBank: 9, setPointer: 12, setLength: 15, read: 18, writeNext: 21 };
type Call = readonly [keyof typeof routines, a?: number, x?: number, y?: number];

function run(calls: readonly Call[]) {
  const { cartridge, state, at } = easyFlash(withRoom());
  const board = new C64Board({ roms: c64Roms });
  board.insertCartridge(cartridge);
  board.reset();
  const lines = calls.map(
    ([name, a = 0x11, x = 0x22, y = 0x33]) =>
      `        ldx #${x}\n        ldy #${y}\n        lda #${a}\n        jsr $df80+${routines[name]}\n        jsr log`,
  );
  const { origin, bytes, errors } = assemble(program(lines.join('\n')));
  expect(errors).toEqual([]);
  applyInput(board, { type: 'poke', bank: 'ram', address: origin, bytes });
  applyInput(board, { type: 'register', name: 'PC', value: origin });
  board.runCycles(60_000);
  expect(board.ram[0xfe]).toBe(4 * (calls.length + 1));
  const after = [...calls, undefined].map((_, call) => {
    const [a = 0, x = 0, y = 0, flags = 0] = board.ram.subarray(0x400 + 4 * call, 0x404 + 4 * call);
    return { a, x, y, isError: (flags & 1) !== 0, isNegative: (flags & 0x80) !== 0, isZero: (flags & 2) !== 0 };
  });
  return { board, after, at, bank: state[cartridgeFields.bank] };
}

test('a driver that is there stays, and nothing is put where no room for one is left', () => {
  const empty = new Uint8Array(0x2000).fill(0xff);
  expect(high(easyFlash(empty))).toEqual([...empty]);
  const own = withRoom();
  own[0x1aff] = 1;
  expect(high(easyFlash(own))).toEqual([...own]);
  expect(high(easyFlash(withRoom()))).not.toEqual([...withRoom()]);
});

test('says who made the chips, and leaves the zero page as it was', () => {
  const { after, board } = run([]);
  expect(after[0]).toEqual({ a: 0xa4, x: 0x01, y: 64, isError: false, isNegative: false, isZero: false });
  expect([...board.ram.subarray(0xfb, 0xfd)]).toEqual([0x5a, 0x5a]);
});

test('writes byte after byte, with each way to go on at the end of 8K', () => {
  const { after, at } = run([
    ['setBank', 3],
    ['setPointer', 0xd0, 0xff, 0x9f],
    ['writeNext', 1],
    ['writeNext', 2],
    ['setPointer', 0xd0, 0xff, 0xbf],
    ['writeNext', 3],
    ['writeNext', 4],
    ['getBank'],
    ['setPointer', 0xb0, 0xff, 0x9f],
    ['writeNext', 5],
    ['writeNext', 6],
    ['setPointer', 0xd4, 0xff, 0xff],
    ['writeNext', 0x87],
    ['writeNext', 0],
    ['getBank'],
  ]);
  expect([at(3, 0x9fff), at(3, 0xa000), at(3, 0xbfff), at(4, 0x8000)]).toEqual([1, 2, 3, 4]);
  expect([at(4, 0x9fff), at(5, 0x8000), at(5, 0xbfff), at(6, 0xa000)]).toEqual([5, 6, 0x87, 0]);
  expect([after[8]?.a, after[15]?.a]).toEqual([4, 6]);
  expect(after[3]).toEqual({ a: 1, x: 0x22, y: 0x33, isError: false, isNegative: false, isZero: false });
  expect(after[13]).toMatchObject({ a: 0x87, isError: false, isNegative: true });
  expect(after[14]).toMatchObject({ a: 0, isZero: true });
});

test('reads what was written, as far as the length goes', () => {
  const { after, bank } = run([
    ['setBank', 9],
    ['write', 0x41, 0xff, 0x80],
    ['write', 0x42, 0x00, 0x81],
    ['setPointer', 0xd0, 0xff, 0x80],
    ['setLength', 0, 2, 0],
    ['setBank', 1],
    ['setBank', 9],
    ['read'],
    ['read'],
    ['read'],
  ]);
  expect(after.slice(-3)).toMatchObject([
    { a: 0x41, x: 0x22, y: 0x33, isError: false },
    { a: 0x42, isError: false },
    { isError: true },
  ]);
  expect(bank).toBe(9);
});

test('tells when bits cannot be set again, and erases eight banks of one chip', () => {
  const { after, at, bank } = run([
    ['setBank', 17],
    ['write', 0x0f, 0x10, 0x80],
    ['write', 0x0f, 0x10, 0xe0],
    ['write', 0xf0, 0x10, 0x80],
    ['setBank', 2],
    ['erase', 20, 0x22, 0x80],
  ]);
  expect(after[4]).toMatchObject({ a: 0xf0, x: 0x10, y: 0x80, isError: true, isNegative: true });
  expect(after[6]).toEqual({ a: 20, x: 0x22, y: 0x80, isError: false, isNegative: false, isZero: false });
  expect([at(17, 0x8010), at(17, 0xa010)]).toEqual([0xff, 0x0f]);
  expect(bank).toBe(2);
});
