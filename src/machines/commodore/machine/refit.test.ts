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

  test('is, with an REU plugged in, the machine that was built with it; without it, the one that has none', () => {
    const board = new C64Board({ roms: c64Roms });
    board.runCycles(123_457);
    const plain = board.fittedMemory;
    const withReu = { ...plain, reu: { isIn: true, kilobytes: 256 } };
    for (const [fitted, reu] of [
      [withReu, 256],
      [plain, undefined],
      [withReu, 256],
    ] as const) {
      board.fitMemory(fitted);
      board.powerUp();
      const built = new C64Board({ roms: c64Roms, reu });
      for (const each of [board, built]) each.runCycles(bootCycles);
      expect(Buffer.compare(board.snapshot(), built.snapshot())).toBe(0);
      expect(board.peek('io', 0xdf00)).toBe(built.peek('io', 0xdf00));
    }
  });

  test('a copy of the state gets back what was in an REU that has been pulled out since', () => {
    const board = new C64Board({ roms: c64Roms, reu: 128 });
    board.expansionRam.of('reu')?.write(5, 0x99);
    const copy = board.snapshot();
    const [before, other] = [board.fittedMemory, { isIn: true, kilobytes: 512 }];
    board.fitMemory({ ...before, reu: other });
    expect(board.expansionRam.of('reu')?.bytes).toHaveLength(0x80000);
    board.fitMemory(before);
    board.restore(copy);
    expect(board.expansionRam.of('reu')?.bytes[5]).toBe(0x99);
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
