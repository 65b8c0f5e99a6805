import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detokenise } from './detokenise.ts';
import { keywords } from './keywords.ts';
import { tokenise } from './tokenise.ts';

const bytesOf = (text: string) => [...tokenise(text).bytes];

test('a program of one line, byte for byte', () => {
  expect(bytesOf('10 PRINT "HELLO"')).toEqual([
    0x01, 0x08, 0x0f, 0x08, 10, 0, 0x99, 0x20, 0x22, 0x48, 0x45, 0x4c, 0x4c, 0x4f, 0x22, 0, 0, 0,
  ]);
  expect(bytesOf('10 print "hello"')).toEqual(bytesOf('10 PRINT "HELLO"'));
  expect(bytesOf('10 ?"hello"')).toEqual(bytesOf('10 print"hello"'));
});

test('capitals are shifted in a program written in small letters, and when it switches to the small set', () => {
  expect(bytesOf('10 print "Hi"')).toContain(0xc8);
  expect(bytesOf('10 PRINT CHR$(14)"Hi"')).toContain(0xc8);
  expect(bytesOf('10 PRINT "Hi"')).not.toContain(0xc8);
});

test('lines without numbers, in any order, and empty text', () => {
  const { text } = detokenise(tokenise('print 1\n\n100 print 2\nprint 3\n5 print 0\n').bytes);
  expect(text).toBe('5 print 0\n10 print 1\n100 print 2\n110 print 3\n');
  expect(bytesOf('')).toEqual([1, 8, 0, 0]);
});

test('words inside strings, data and remarks stay text', () => {
  const { bytes } = tokenise('10 data print,to:print"to":rem print to');
  expect(detokenise(bytes).text).toBe('10 data print,to:print"to":rem print to\n');
  expect([...bytes].filter((code) => code === 0x99)).toHaveLength(1);
});

test('abbreviations with a shifted last letter', () => {
  expect(detokenise(tokenise('10 pO 53280,0:gO 10:nE:goS 5:lI').bytes).text).toBe(
    '10 poke 53280,0:goto 10:next:gosub 5:list\n',
  );
});

test('control codes', () => {
  const { bytes, errors } = tokenise('10 print "{clr}{red}{down*2}{$9e}{3 space}"');
  expect(errors).toEqual([]);
  expect([...bytes.subarray(8, -3)]).toEqual([0x22, 147, 28, 17, 17, 0x9e, 32, 32, 32, 0x22]);
  expect(detokenise(bytes).text).toBe('10 print "{clr}{red}{down}{down}{yellow}   "\n');
});

test('errors say where', () => {
  const { errors } = tokenise('10 print "{bogus}"\n  10 print 1\n70000 end\n30 print "你"\n40 print "{clr');
  expect(errors.map(({ line, column }) => [line, column])).toEqual([
    [1, 11],
    [2, 3],
    [3, 1],
    [4, 11],
    [5, 11],
  ]);
  expect(errors[0]?.message).toContain('{bogus}');
  expect(errors[1]?.message).toContain('twice');
  expect(tokenise(`10 print "${'x'.repeat(300)}"`).errors[0]?.message).toContain('at most 250');
});

test('the rest after the program is machine code', () => {
  const program = tokenise('10 sys 2061').bytes;
  const { rest, loadAddress } = detokenise(Uint8Array.from([...program, 0xa9, 0]));
  expect(loadAddress).toBe(0x0801);
  expect([...rest]).toEqual([0xa9, 0]);
});

test('every token goes there and back', () => {
  for (const [index, keyword] of keywords.entries()) {
    const { bytes } = tokenise(`10 ${keyword}`);
    expect(bytes[6]).toBe(0x80 + index);
    expect(detokenise(bytes, 'upper').text).toBe(`10 ${keyword}\n`);
  }
});

test('listing and tokenising again gives the same bytes, whatever is in a string', () => {
  const code = fc.integer({ min: 1, max: 255 }).filter((value) => value !== 0x22);
  fc.assert(
    fc.property(fc.array(code, { maxLength: 60 }), (codes) => {
      const line = [0x99, 0x22, ...codes, 0x22];
      const next = 0x0801 + line.length + 5;
      const bytes = Uint8Array.from([1, 8, next & 255, next >> 8, 10, 0, ...line, 0, 0, 0]);
      const again = tokenise(detokenise(bytes).text, { letters: 'lower' });
      expect(again.errors).toEqual([]);
      expect([...again.bytes]).toEqual([...bytes]);
    }),
  );
});
