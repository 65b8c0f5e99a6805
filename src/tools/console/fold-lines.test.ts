import { expect, test } from 'vitest';
import { foldLines } from './fold-lines.ts';
import { StripStream } from './strip-stream.ts';

function shown(input: string): string {
  const stream = new StripStream();
  return foldLines(stream.push(new TextEncoder().encode(input)) + stream.end(true).text);
}

test.for([
  ['plain text stays', 'a\n b\n\nc', 'a\n b\n\nc'],
  ['blanks at the end go', 'a  \t \nb ', 'a\nb'],
  ['the last state of a progress bar stays', ' 10%\r 50%\r100%\n', '100%\n'],
  ['a shorter overwrite leaves the tail', 'abcdef\rxy', 'xycdef'],
  ['an erased line has no tail', 'abcdef\r\x1b[Kxy', 'xy'],
  ['backspace and overwrite', 'helo\blo', 'hello'],
  ['a rubbed-out character', 'lsx\b \b -l', 'ls -l'],
  ['a line editor rubs out', 'lsx\b\x1b[K -l', 'ls -l'],
  ['backspace stops at the start', 'a\b\b\bb', 'b'],
  ['a wide character takes two cells', '日本\b\bx', '日x'],
  ['half a wide character becomes blank', '日本\b\b\bx', ' x本'],
  ['tabs move without erasing', 'abcdefghij\r\tX', 'abcdefghXj'],
  ['tabs beyond the end are blanks', 'a\r\tX', 'a       X'],
  ['a combining accent stays on its letter', 'xe\u0301\ry', 'ye\u0301'],
])('%s', ([, input, output]) => {
  expect(shown(input ?? '')).toBe(output);
});

test('the wrap of a line editor at 80 columns joins, and the second row is redrawn in place', () => {
  const first = 'x'.repeat(80);
  expect(foldLines(`${first} \ryes`)).toBe(`${first}yes`);
  expect(foldLines(`${first} \ryes\rno!`)).toBe(`${first}no!`);
  expect(foldLines(`${'x'.repeat(79)} \ry`)).toBe(`y${'x'.repeat(78)}`);
});

test('folding twice changes nothing', () => {
  const once = foldLines('ab\rc\x7f\bd\t\n日\b\bx');
  expect(foldLines(once)).toBe(once);
});
