import { expect, test } from 'vitest';
import { partRead, partWritten, plaLines } from './pla.ts';

/** $8000, $A000, $D000, $E000 by configuration 0-31 (LORAM, HIRAM, CHAREN, EXROM, GAME from bit 0 up), as measured. */
const expected: Readonly<Record<number, string>> = {
  24: 'ram ram ram ram',
  25: 'ram ram chargen ram',
  26: 'ram ram chargen kernal',
  27: 'ram basic chargen kernal',
  28: 'ram ram ram ram',
  29: 'ram ram io ram',
  30: 'ram ram io kernal',
  31: 'ram basic io kernal',
  // 8K cartridge: EXROM low
  19: 'roml basic chargen kernal',
  22: 'ram ram io kernal',
  23: 'roml basic io kernal',
  // 16K cartridge: both low
  0: 'ram ram ram ram',
  1: 'ram ram ram ram',
  2: 'ram romh chargen kernal',
  3: 'roml romh chargen kernal',
  5: 'ram ram io ram',
  6: 'ram romh io kernal',
  7: 'roml romh io kernal',
  // Ultimax: GAME low alone, whatever the port says
  8: 'roml open io romh',
  15: 'roml open io romh',
};

test.for(Object.entries(expected))('configuration %s is %s', ([configuration, parts]) => {
  const lines = plaLines(Number(configuration));
  expect([0x8, 0xa, 0xd, 0xe].map((page) => partRead(lines, page)).join(' ')).toBe(parts);
});

test('writes go to RAM under ROM, except in Ultimax mode', () => {
  expect(partWritten(plaLines(31), 0xe)).toBe('ram');
  expect(partWritten(plaLines(31), 0xd)).toBe('io');
  expect(partWritten(plaLines(27), 0xd)).toBe('ram');
  expect(partWritten(plaLines(8), 0x4)).toBe('open');
  expect(partWritten(plaLines(8), 0x0)).toBe('ram');
});
