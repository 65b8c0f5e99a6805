import { describe, expect, test } from 'vitest';
import { C64Board } from '../c64/c64-board.ts';
import { c64Roms } from '../roms/c64-roms.generated.ts';
import { vic20Roms } from '../roms/vic20-roms.generated.ts';
import { Vic20Board } from '../vic20/vic20-board.ts';

const bootCycles = 2_000_000;

describe('a C64 with other chips in its sockets', () => {
  const ntsc = { vic: '6567', cia: '6526A', sid: '8580' } as const;

  test('is, once switched off and on, the machine that was built with them', () => {
    const board = new C64Board({ roms: c64Roms });
    board.runCycles(123_457);
    board.refit({ vic: ntsc.vic, cia1: ntsc.cia, cia2: ntsc.cia, sid: ntsc.sid });
    board.powerUp();
    const built = new C64Board({ roms: c64Roms, ...ntsc });
    for (const each of [board, built]) each.runCycles(bootCycles);
    expect(board.frameSpan).toBe(65 * 263);
    expect(Buffer.compare(board.snapshot(), built.snapshot())).toBe(0);
    expect(Buffer.compare(board.visibleFrame().pixels, built.visibleFrame().pixels)).toBe(0);
  });

  test('goes on with what is in memory, and shows the same screen', () => {
    const board = new C64Board({ roms: c64Roms });
    board.runCycles(bootCycles);
    const screen = board.ram.slice(0x400, 0x7e8);
    const registers = [0x11, 0x16, 0x18, 0x1a, 0x20, 0x21].map((register) => board.vic.peek(register) & 0x7f);
    board.refit({ ...board.chips, vic: '6567R56A' });
    const before = board.frameCount;
    for (let frame = 0; frame < 60; frame++) board.runUntilFrame();
    expect(board.frameCount).toBe(before + 60);
    expect(board.cyclesPerLine).toBe(64);
    expect(board.ram.slice(0x400, 0x7e8).filter((code, index) => code !== screen[index]).length).toBeLessThan(2);
    expect([0x11, 0x16, 0x18, 0x1a, 0x20, 0x21].map((register) => board.vic.peek(register) & 0x7f)).toEqual(registers);
    // The cursor still blinks: interrupts go on.
    const blinks = new Set<number | undefined>();
    for (let frame = 0; frame < 90; frame++) {
      board.runUntilFrame();
      blinks.add(board.ram[0xcf]);
    }
    expect(blinks.size).toBe(2);
  });
});

describe('a VIC-20 with another chip and other memory', () => {
  test('is, once switched off and on, the machine that was built with them', () => {
    const board = new Vic20Board({ roms: vic20Roms });
    board.runCycles(123_457);
    board.refit({ vic: '6560', blocks: ['BLK1', 'BLK2'] });
    board.powerUp();
    const built = new Vic20Board({ roms: vic20Roms, vic: '6560', expansion: '16k' });
    for (const each of [board, built]) each.runCycles(bootCycles);
    expect(board.frameSpan).toBe(65 * 261);
    expect(Buffer.compare(board.snapshot(), built.snapshot())).toBe(0);
    expect(Buffer.compare(board.visibleFrame().pixels, built.visibleFrame().pixels)).toBe(0);
  });
});
