import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const rows = [
  ...readFileSync(join(root, 'docs/glossary.md'), 'utf8').matchAll(/^\| (.+?) *\|.*\| `(src\/.+?)` *\|$/gm),
];

test('the glossary has rows', () => expect(rows.length).toBeGreaterThan(20));

test.for(rows.map(([, word = '', file = '']) => [word, file] as const))('%s is a word of %s', ([word, file]) => {
  const source = readFileSync(join(root, file), 'utf8');
  expect(source).toMatch(new RegExp(`\\b${word.replaceAll('`', '')}\\b`, 'i'));
});
