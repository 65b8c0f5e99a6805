import { describe, expect, test } from 'vitest';
import { type EscapeRules, EscapeTokenizer, readerRules, terminalRules } from './escape-tokenizer.ts';

/** What is left of the bytes when sequences are taken out. */
function textOf(bytes: string, rules: EscapeRules): string {
  const tokenizer = new EscapeTokenizer(rules);
  let text = '';
  for (const character of bytes) {
    const byte = character.charCodeAt(0);
    const isInside = tokenizer.active && !['after', 'control'].includes(tokenizer.feed(byte));
    if (!isInside && !tokenizer.start(byte)) text += character;
  }
  return text;
}

const both = Object.entries({ reader: readerRules, terminal: terminalRules });

describe.each(both)('by the rules of a %s', (_, rules) => {
  test.each([
    ['7-bit and 8-bit sequences', 'a\x1b[1;31mb\x9b0mc\x1b(Bd\x1b7e', 'abcde'],
    ['strings, by every end mark', 'a\x1b]0;t\x07b\x1bPq\x1b\\c\x9d0;t\x9cd\x1b_x\x9ce', 'abcde'],
    ['CAN and SUB', 'a\x1b[3\x18b\x1b]0;x\x1ac', 'abc'],
    ['control characters act inside', 'a\x1b[3\r1mb', 'a\rb'],
    ['a new one inside another', 'a\x1b]0;x\x1b[31mb', 'ab'],
    ['9C in the middle of a letter ends nothing', 'a\x1b]0;\xc3\x9cber \xe2\x9c\x9c\x07b', 'ab'],
    ['U+009C ends a string', 'a\x1b]0;t\xc2\x9cb', 'ab'],
    ['9C after a broken letter ends a string', 'a\x1b]0;\xe0\x9cb\x1bP\xf4\x9cc\x1b^\xff\x9cd', 'abcd'],
    ['a byte that belongs to none ends a sequence', 'a\x1b[3\xffb', 'a\xffb'],
  ])('%s', (_name, bytes, text) => expect(textOf(bytes, rules)).toBe(text));
});

test('the command of a control sequence is told, cut short', () => {
  const tokenizer = new EscapeTokenizer(readerRules);
  const feed = (text: string) => [...text].map((character) => tokenizer.feed(character.charCodeAt(0))).at(-1);
  tokenizer.start(0x1b);
  expect([feed('[12;3K'), tokenizer.kind, tokenizer.command]).toEqual([
    'last',
    'csi',
    { final: 'K', parameters: '12;3' },
  ]);
  tokenizer.start(0x9b);
  expect([feed('1'.repeat(99)), feed('m'), tokenizer.command?.parameters]).toEqual(['inside', 'last', '1'.repeat(16)]);
  tokenizer.start(0x1b);
  expect([feed('7'), tokenizer.kind, tokenizer.command]).toEqual(['last', 'escape', undefined]);
});

test('a reader gives up on noise, a terminal must not', () => {
  const long = `a\x1b[${'1'.repeat(5000)}mb`;
  expect([textOf(long, readerRules).length > 900, textOf(long, terminalRules)]).toEqual([true, 'ab']);
  expect(textOf('a\x1b]0;x\nb\x07c', readerRules)).toBe('a\nb\x07c');
  expect(textOf('a\x1b]0;x\nb\x07c', terminalRules)).toBe('ac');
  expect(textOf('a\x1bP#\n~\x1b\\b', readerRules)).toBe('ab');
});

test('what one make of terminal has alone', () => {
  expect(textOf('a\x1b]P0aabbccb\x1b]Rc', readerRules)).toBe('abc');
  expect(textOf('a\x1bktitle\x1b\\b', terminalRules)).toBe('ab');
  expect(textOf('a\x1bktitle\x1b\\b', readerRules)).toBe('atitleb');
  expect(textOf('a\x1bPx\x07b', terminalRules)).toBe('ab');
  expect(textOf('a\x1bPx\x07b\x1b\\c', readerRules)).toBe('ac');
});
