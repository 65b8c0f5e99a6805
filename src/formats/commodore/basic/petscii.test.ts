import { expect, test } from 'vitest';
import { parseControl } from './control-codes.ts';
import {
  petsciiText,
  petsciiToScreenCode,
  petsciiToUnicode,
  screenCodeToPetscii,
  screenCodeToUnicode,
  unicodeToPetscii,
  unicodeToScreenCode,
} from './petscii.ts';

const sets = ['upper', 'lower'] as const;

test.for(sets)(
  'every printable code of the %s set has a glyph, and every glyph leads back to its code or a double',
  (set) => {
    for (let code = 0; code < 256; code++) {
      const glyph = petsciiToUnicode(code, set);
      if ((code & 127) < 32) expect(glyph).toBe('');
      else {
        expect([...glyph]).toHaveLength(1);
        const back = unicodeToPetscii(glyph, set) ?? -1;
        expect(petsciiToScreenCode(back)).toBe(petsciiToScreenCode(code));
      }
    }
  },
);

test.for(sets)('the 128 screen codes of the %s set are 128 different glyphs', (set) => {
  const glyphs = Array.from({ length: 128 }, (_, code) => screenCodeToUnicode(code, set));
  expect(new Set(glyphs).size).toBe(128);
  for (const [code, glyph] of glyphs.entries()) expect(unicodeToScreenCode(glyph, set)).toBe(code);
});

test('known places', () => {
  expect(petsciiText([0x48, 0x45, 0x4c, 0x4c, 0x4f, 0x20, 0x5c, 0x5e, 0x5f])).toBe('HELLO £↑←');
  expect(petsciiText([0xc8, 0x45], 'lower')).toBe('He');
  expect(petsciiToUnicode(0xc1)).toBe('♠');
  expect(petsciiToUnicode(0xff)).toBe('π');
  expect([0, 1, 0x20, 0x40, 0x51, 0x5e, 0x60, 0x66].map((code) => screenCodeToUnicode(code))).toEqual([
    '@',
    'A',
    ' ',
    '─',
    '●',
    'π',
    '\u00a0',
    '▒',
  ]);
  expect([0x0d, 0x12, 0x41, 0x61, 0x93, 0xa1, 0xc1, 0xe1, 0xff].map(petsciiToScreenCode)).toEqual([
    0x8d, 0x92, 1, 0x41, 0xd3, 0x61, 0x41, 0x61, 0x5e,
  ]);
  expect([0, 0x20, 0x41, 0x61, 0x81].map(screenCodeToPetscii)).toEqual([0x40, 0x20, 0xc1, 0xa1, 0x41]);
  expect(unicodeToPetscii('a', 'upper')).toBe(0x41);
  expect(unicodeToPetscii('A', 'lower')).toBe(0xc1);
  expect(unicodeToPetscii('你')).toBeUndefined();
});

test('control codes in braces', () => {
  expect(parseControl('CLR')).toEqual([147]);
  expect(parseControl('$93')).toEqual([0x93]);
  expect(parseControl('147')).toEqual([147]);
  expect(parseControl('space*5')).toEqual([32, 32, 32, 32, 32]);
  expect(parseControl('3 down')).toEqual([17, 17, 17]);
  expect(parseControl('rvs on')).toEqual([18]);
  expect(parseControl('gry1*2')).toEqual([151, 151]);
  expect(parseControl('CBM-A')).toEqual([176]);
  expect(parseControl('shift-z')).toEqual([218]);
  expect(parseControl('nonsense')).toBeUndefined();
  expect(parseControl('256')).toBeUndefined();
});
