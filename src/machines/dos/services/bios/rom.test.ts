import { describe, expect, it } from 'vitest';
import { callbacks } from './callbacks.ts';
import { font8 } from './font/fonts.ts';
import { buildBiosRom, interruptOffset, stubOffset } from './rom.ts';
import { romCode, romTables } from './rom-layout.ts';

const rom = buildBiosRom();

describe('ROM', () => {
  it('jumps from the reset vector to the power-on code', () => {
    expect([...rom.subarray(0xfff0, 0xfff5)]).toEqual([0xea, 0x5b, 0xe0, 0x00, 0xf0]);
    expect([...rom.subarray(romCode.powerOn, romCode.powerOn + 4)]).toEqual([0xfe, 0x38, 0x00, 0x01]);
    expect(rom[romTables.model]).toBe(0xfc);
    expect(String.fromCharCode(...rom.subarray(romTables.date, romTables.date + 8))).toMatch(/^\d\d\/\d\d\/\d\d$/);
  });

  it('has a callback behind every vector', () => {
    for (const interrupt of [0x00, 0x05, 0x10, 0x13, 0x16, 0x1a, 0x21, 0x2f, 0x33, 0x67, 0xff]) {
      const at = interruptOffset(interrupt);
      expect([...rom.subarray(at, at + 5)], `INT ${interrupt}`).toEqual([0xfe, 0x38, interrupt, 0, 0xcf]);
    }
    for (const [number, end] of [
      [callbacks.freeInterrupts + 7, 0xcf],
      [callbacks.freeFar + 255, 0xcb],
    ] as const) {
      const at = stubOffset(number);
      expect([...rom.subarray(at, at + 5)]).toEqual([0xfe, 0x38, number & 0xff, number >> 8, end]);
    }
  });

  it('has INT 08h chain to INT 1Ch before the end of interrupt', () => {
    const at = interruptOffset(8);
    expect(Buffer.from(rom.subarray(at, at + 16)).toString('hex')).toBe(
      'fbfe380800cd1cfa50b020e62058cf00'.slice(0, 32),
    );
  });

  it('keeps the character shapes of the first half at F000:FA6E', () => {
    expect([...rom.subarray(0xfa6e + 0x41 * 8, 0xfa6e + 0x42 * 8)]).toEqual([
      ...font8.bytes.subarray(0x41 * 8, 0x42 * 8),
    ]);
  });

  it('lays nothing over anything else', () => {
    // INT 19h is a jump of three bytes before the configuration table.
    expect(rom[0xe6f2]).toBe(0xe9);
    expect(rom[romTables.configuration]).toBe(8);
    const target = (0xe6f5 + ((rom[0xe6f3] as number) | ((rom[0xe6f4] as number) << 8))) & 0xffff;
    expect([...rom.subarray(target, target + 4)]).toEqual([0xfe, 0x38, 0x19, 0]);
  });
});

describe('fonts', () => {
  it('have a different shape for every printing character', () => {
    const shapes = new Map<string, number>();
    for (let code = 1; code < 255; code++) {
      if (code === 0x20) continue;
      const shape = font8.bytes.subarray(code * 8, code * 8 + 8).join();
      expect(shapes.get(shape), `code ${code}`).toBeUndefined();
      shapes.set(shape, code);
    }
  });
});
