import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ControlGuard } from './control-guard.ts';

const size = { columns: 80, rows: 24 };
const pass = (...pieces: string[]) => {
  const guard = new ControlGuard();
  return pieces.map((piece) => guard.pass(piece, size)).join('');
};

describe('ControlGuard', () => {
  test.each([
    ['lines inserted', '\x1b[1000000000L', '\x1b[24L'],
    ['lines deleted', '\x1b[99999M', '\x1b[24M'],
    ['scrolled up', '\x1b[25S', '\x1b[24S'],
    ['scrolled down', '\x1b[4294967296T', '\x1b[24T'],
    ['tabs', '\x1b[100000I', '\x1b[80I'],
    ['tabs back', '\x1b[100000Z', '\x1b[80Z'],
    ['repeats', 'x\x1b[10000000b', 'x\x1b[1920b'],
    ['C1 introducer', '\x9b1000000L', '\x9b24L'],
    ['a control character inside', '\x1b[10\n0000L', '\n\x1b[24L'],
    ['DEL inside the number', '\x1b[10\x7f0000L', '\x1b[24L'],
    ['after a cancelled sequence', '\x1b[3\x18\x1b[9999L', '\x18\x1b[24L'],
    ['inside a string that it ends', '\x1b]0;t\x1b[9999L', '\x1b]0;t\x1b\x1b[24L'],
  ])('bounds the count: %s', (_, input, output) => {
    expect(pass(input)).toBe(output);
  });

  test.each([
    'plain text\r\n\ttabs',
    '\x1b[24L\x1b[2S\x1b[1920b',
    '\x1b[38;2;255;255;255mcolour\x1b[0m',
    '\x1b[9999;9999H\x1b[6n',
    '\x1b(0lqk\x1b(B\x1b([text',
    '\x1b]0;title\x07\x1b]2;other\x1b\\after',
    '\x1bP$q"p\x1b\\after\x1b_apc\x1b\\after\x1bXsos\x1b\\',
    '\x1b7\x1b8\x1bc\x1b#8\x1b=',
    'héllo € 漢字 😀',
  ])('leaves %j as it is', (input) => {
    expect(pass(input)).toBe(input);
  });

  test.each([
    ['OSC', '\x1b]', '\x07'],
    ['OSC ended by ST', '\x1b]', '\x1b\\'],
    ['OSC in C1', '\x9d', '\x9c'],
    ['DCS', '\x1bP', '\x1b\\'],
    ['APC', '\x1b_', '\x1b\\'],
  ])('cuts an endless string: %s', (_, begin, end) => {
    const out = pass(`${begin}${'x'.repeat(200_000)}`, `${'y'.repeat(200_000)}${end}after`);
    expect(out).toHaveLength(begin.length + 65_536 + end.length + 'after'.length);
    expect(out.endsWith(`${end}after`)).toBe(true);
  });

  test('an endless control sequence is ignored up to its final character', () => {
    expect(pass(`\x1b[${'1;'.repeat(5000)}`, '1mafter')).toBe('after');
  });

  test('output cut anywhere passes as if it came at once', () => {
    const part = fc.constantFrom(
      '\x1b',
      '[',
      ']',
      'P',
      '\\',
      '9',
      '99999',
      ';',
      'L',
      'b',
      'm',
      '\x07',
      '\x18',
      '\x9b',
      '\x9d',
      '\x7f',
      '(',
      'é',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(fc.array(part, { maxLength: 6 }), { maxLength: 6 }), (pieces) => {
        const texts = pieces.map((piece) => piece.join(''));
        expect(pass(...texts)).toBe(pass(texts.join('')));
      }),
    );
  });
});
