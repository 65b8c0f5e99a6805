import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const tour = readFileSync(join(root, 'docs/tour.md'), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
const quoted = [...new Set([...tour.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text))];
const paths = quoted.filter((text) => /^(src|test|docs)\//.test(text));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('every file and folder is named by its whole path, and is there', () => {
  const looksLikePath = (text: string) => /\.ts$|^[\w.-]+\/$/.test(text);
  expect(quoted.filter((text) => looksLikePath(text) && !paths.includes(text))).toEqual([]);
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every name of the code is in a file that the tour names', () => {
  const sources = paths.filter((path) => path.endsWith('.ts')).map(read);
  const names = quoted.filter((text) => /^#?[A-Za-z_]\w+$/.test(text));
  expect(names.length).toBeGreaterThan(10);
  const isThere = (name: string) => sources.some((source) => new RegExp(`(?<!\\w)${name}\\b`).test(source));
  expect(names.filter((name) => !isThere(name))).toEqual([]);
});

test('what is to be read takes fifteen minutes', () => {
  const wanted = [...tour.matchAll(/\*\*`(src\/[^`]+)`\*\*/g)].map(([, path = '']) => path);
  expect(wanted.length).toBeGreaterThan(10);
  const lines = wanted.reduce((sum, path) => sum + read(path).split('\n').length, 0);
  expect(lines).toBeLessThan(1600);
});
