import { expect, test } from 'vitest';
import { foldRepeats } from './fold-repeats.ts';

test('a line that comes again and again is shown once, with a count', () => {
  const { text, lineBefore } = foldRepeats(`# yes\n${'y\n'.repeat(1500)}^C\n# `);
  expect(text).toBe('# yes\ny\n[the same line 1,499 more times]\n^C\n# ');
  expect([0, 1, 2, 3, 4].map(lineBefore)).toEqual([0, 1, 2, 1501, 1502]);
});

test('a few are left alone, and so are empty lines', () => {
  for (const text of ['a\na\na\nb', '\n\n\n\n\n', 'a\nb\na\nb', '', 'x']) expect(foldRepeats(text).text).toBe(text);
});
