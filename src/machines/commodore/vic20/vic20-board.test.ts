import { describe, expect, test } from 'vitest';
import { fields as cpu } from '../../../chips/mos6510/registers.ts';
import { writePrg } from '../../../formats/commodore/media/prg.ts';
import { vic20Roms } from '../roms/vic20-roms.generated.ts';
import { expansions, ramBlocks, spanOf } from './memory-expansion.ts';
import { Vic20Bench } from './vic20-bench-testing.ts';
import { Vic20Board, type Vic20Options } from './vic20-board.ts';
import { readVic20Cartridge } from './vic20-cartridge.ts';

const newBoard = (options: Partial<Vic20Options> = {}) => new Vic20Board({ roms: vic20Roms, ...options });
const isRam = (board: Vic20Board, address: number) => {
  const before = board.read(address);
  for (const value of [before ^ 0xff, before]) {
    board.write(address, value);
    board.write(0x200, value ^ 0xff);
    if (board.read(address) !== value) return false;
  }
  return true;
};

describe('memory', () => {
  test.each(Object.keys(expansions) as (keyof typeof expansions)[])('RAM with expansion %s', (expansion) => {
    const board = newBoard({ expansion });
    for (const block of ramBlocks) {
      const { start, end } = spanOf[block];
      const wanted = (expansions[expansion] as readonly string[]).includes(block);
      expect([isRam(board, start), isRam(board, end - 1)], block).toEqual([wanted, wanted]);
    }
    for (const address of [0, 0x3ff, 0x1000, 0x1fff]) expect(isRam(board, address)).toBe(true);
    for (const address of [0x8000, 0xc000, 0xe000]) expect(isRam(board, address)).toBe(false);
  });

  test('color RAM has four bits; the others are what was last on the bus it shares with the VIC', () => {
    const board = newBoard();
    board.write(0x9400, 0xf5);
    expect(board.peek('color', 0)).toBe(5);
    board.write(0x1000, 0x3c);
    expect(board.read(0x9400)).toBe(0x35);
    board.write(0x1000, 0xa0);
    board.read(0xe000);
    expect(board.read(0x9400)).toBe(0xa5);
  });

  test('where nobody answers the bus still has its last byte, on either half its own', () => {
    const board = newBoard();
    board.ram[0x1000] = 0x77;
    board.read(0x1000);
    board.read(0xc000);
    const left = board.read(0xc000);
    expect(board.read(0x2000)).toBe(left);
    expect(board.read(0x9c00)).toBe(left);
    expect(board.read(0x9c00)).toBe(left);
    board.write(0x4000, 0x12);
    expect(board.read(0xa000)).toBe(0x12);
    board.write(0x1000, 0x34);
    board.read(0xc000);
    expect(board.read(0x0500)).toBe(0x34);
  });

  test('the chips show everywhere in $9000-$93FF where their address lines do', () => {
    const board = newBoard();
    board.write(0x9040 + 5, 0xc2);
    expect(board.read(0x9005)).toBe(0xc2);
    board.write(0x9112, 0x5a);
    board.write(0x9122, 0xc3);
    expect([board.read(0x9152), board.read(0x9392), board.read(0x9362)]).toEqual([0x5a, 0x5a, 0xc3]);
    // Both answer: what they have in common is read, what is written goes to both.
    expect(board.read(0x9132)).toBe(0x5a & 0xc3);
    board.write(0x91f3, 0x0f);
    expect([board.read(0x9113), board.read(0x9123)]).toEqual([0x0f, 0x0f]);
    board.write(0x9002, 0x96);
    expect(board.read(0x9012)).toBe(0x96 & 0x5a);
  });

  test('a GeoRAM shows any of its pages', () => {
    const board = newBoard({ geoRam: 64 });
    for (const [page, block] of [
      [0, 0],
      [63, 3],
      [5, 2],
    ] as const) {
      board.write(0x9ffe, page);
      board.write(0x9fff, block);
      board.write(0x9810, page + block * 64);
    }
    board.write(0x9ffe, 63);
    board.write(0x9fff, 7);
    expect(board.read(0x9b10)).toBe(255);
    const snapshot = board.snapshot();
    board.write(0x9810, 1);
    board.restore(snapshot);
    expect(board.peek('cpu', 0x9810)).toBe(255);
  });
});

describe('cartridges', () => {
  const bytes = Uint8Array.from({ length: 0x1000 }, (_, at) => at & 255);
  const crt = (address: number, hardware = 0) => {
    const file = new Uint8Array(0x50 + bytes.length);
    const view = new DataView(file.buffer);
    file.set(new TextEncoder().encode('VIC20 CARTRIDGE '));
    view.setUint32(16, 0x40);
    view.setUint16(22, hardware);
    file.set(new TextEncoder().encode('CHIP'), 0x40);
    view.setUint32(0x44, 16 + bytes.length);
    view.setUint16(0x4c, address);
    view.setUint16(0x4e, bytes.length);
    file.set(bytes, 0x50);
    return file;
  };

  test.each([
    ['a CRT file', crt(0x6000), 0x6000],
    ['a file with its address', writePrg({ address: 0x2000, bytes }), 0x2000],
    ['bare bytes', bytes, 0xa000],
  ])('%s is found where it belongs, cannot be written, and hides RAM', (_, file, address) => {
    const board = newBoard({ expansion: 'all' });
    board.write(address + 5, 0x99);
    board.insertCartridge(readVic20Cartridge(file));
    board.write(address + 5, 0x55);
    expect([board.read(address + 5), board.read(address + 0xffe)]).toEqual([5, 0xfe]);
    board.insertCartridge(undefined);
    expect(board.read(address + 5)).toBe(0x99);
  });

  test('sixteen bare kilobytes go to $A000 and $6000', () => {
    const roms = readVic20Cartridge(new Uint8Array(0x4000).fill(1));
    expect(roms.map(({ address }) => address)).toEqual([0xa000, 0x6000]);
  });

  test('what is no cartridge is refused with a reason', () => {
    expect(() => readVic20Cartridge(crt(0xc000))).toThrow(/\$c000: ROMs lie in/);
    expect(() => readVic20Cartridge(crt(0xa000, 7))).toThrow(/type 7: only plain ROMs/);
    expect(() => readVic20Cartridge(crt(0xa000).subarray(0, 0x100))).toThrow(/cut short/);
    expect(() => readVic20Cartridge(new Uint8Array())).toThrow(/0 bytes are not a VIC-20 cartridge/);
    expect(() => readVic20Cartridge(new Uint8Array(0x9000))).toThrow(/not a VIC-20 cartridge/);
  });
});

describe('ports', () => {
  /** Both ports of both VIAs as inputs. */
  const listening = () => {
    const board = newBoard();
    for (const register of [0x9112, 0x9113, 0x9122, 0x9123]) board.write(register, 0);
    return board;
  };

  test('the joystick is spread over two VIAs', () => {
    const board = listening();
    const pins = () => [~board.read(0x911f) & 0x3c, ~board.read(0x9120) & 0x80];
    expect(pins()).toEqual([0, 0]);
    const seen = [1, 2, 4, 8, 16].map((bit) => {
      board.setJoystick(1, bit);
      return pins();
    });
    expect(seen).toEqual([
      [4, 0],
      [8, 0],
      [16, 0],
      [0, 128],
      [32, 0],
    ]);
  });

  test('keys connect a column of port B with a row of port A, either way', () => {
    const board = listening();
    board.setKey(3, 5, true);
    board.write(0x9122, 0xff);
    board.write(0x9120, 0xf7);
    expect(board.read(0x9121)).toBe(0xdf);
    board.write(0x9122, 0);
    board.write(0x9123, 0xff);
    board.write(0x9121, 0xdf);
    expect(board.read(0x9120)).toBe(0xf7);
    board.releaseAllKeys();
    expect(board.read(0x9120)).toBe(0xff);
  });

  test('RESTORE reaches the NMI line through CA1', () => {
    const board = newBoard();
    board.runCycles(600_000);
    const nmis = () => board.cpu.state[cpu.nmiCount];
    const before = nmis();
    board.setRestore(true);
    board.runCycles(100);
    expect(nmis()).toBe(before + 1);
    board.setRestore(false);
    board.runCycles(1000);
    expect(nmis()).toBe(before + 1);
  });

  test('fire is the line of the light pen, and a pen finds its place', () => {
    const board = listening();
    board.write(0x9113, 0);
    board.runUntilFrame();
    board.runCycles(71 * 100);
    board.setJoystick(1, 16);
    board.runCycles(2);
    expect(board.read(0x9007)).toBe(50);
    board.setJoystick(1, 0);
    board.aimLightPen({ x: 100, y: 60 });
    board.runUntilFrame();
    board.runUntilFrame();
    expect(board.read(0x9007)).toBe((28 + 60) >> 1);
    const first = board.read(0x9006);
    board.aimLightPen({ x: 140, y: 60 });
    board.runUntilFrame();
    board.runUntilFrame();
    expect(board.read(0x9006) - first).toBe(20);
    board.aimLightPen(undefined);
  });

  test('pins of the user port are port B of VIA 1', () => {
    const board = listening();
    board.setUserPort(0xa5);
    expect(board.read(0x9110)).toBe(0xa5);
    board.write(0x9112, 0x0f);
    board.write(0x9110, 0x03);
    expect(board.read(0x9110)).toBe(0xa3);
  });

  test('the serial bus: high outputs and inputs pull', () => {
    const board = newBoard();
    expect(board.serialLines).toEqual({ atn: false, clock: false, data: false });
    board.write(0x9113, 0x80);
    board.write(0x9111, 0);
    board.write(0x912c, 0xcc);
    expect(board.serialLines).toEqual({ atn: true, clock: true, data: true });
    expect(board.read(0x911f) & 3).toBe(3);
    board.write(0x912c, 0xce);
    expect(board.read(0x911f) & 3).toBe(2);
    board.write(0x912c, 0xec);
    expect(board.read(0x911f) & 3).toBe(1);
  });

  test('the datasette: sense, motor, pulses at CA1', () => {
    const bench = new Vic20Bench();
    const { board } = bench;
    board.write(0x9113, 0);
    expect(board.read(0x911f) & 0x40).toBe(0x40);
    board.tape.press('record');
    expect(board.read(0x911f) & 0x40).toBe(0);
    board.write(0x911c, 0x0c);
    expect(board.tape.isMoving).toBe(true);
    board.write(0x911c, 0x0e);
    expect(board.tape.isMoving).toBe(false);
  });
});

test('power comes on with the pattern that programs look for', () => {
  const { ram } = newBoard();
  expect([ram[0x288], ram[0x1046]]).toEqual([0xff, 0xff]);
});

test('an exit code is left at $910F only if somebody wants it', () => {
  for (const debugCart of [true, false]) {
    const board = newBoard({ debugCart });
    board.write(0x910f, 7);
    expect(board.exitCode).toBe(debugCart ? 7 : undefined);
  }
});

test('peeks and pokes disturb nothing', () => {
  const board = new Vic20Bench().boot().board;
  const before = board.snapshot();
  for (let address = 0; address < 0x10000; address += 7) board.peek('cpu', address);
  for (const bank of ['ram', 'rom', 'io', 'color', 'vic'] as const) board.peek(bank, 0x9114);
  expect(Buffer.compare(board.snapshot(), before)).toBe(0);
  board.poke('cpu', 0x1234, 0x56);
  board.poke('color', 3, 0xf7);
  board.poke('io', 0x900f, 0x2a);
  expect([board.peek('ram', 0x1234), board.peek('color', 3), board.peek('cpu', 0x900f)]).toEqual([0x56, 7, 0x2a]);
  expect(board.peek('rom', 0xe000)).toBe(vic20Roms.kernal[0]);
});
