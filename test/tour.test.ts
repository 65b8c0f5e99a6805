import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

test('what is said to be of a file is there', () => {
  const pairs = [...tour.matchAll(/`(#?[A-Za-z_]\w+)` of `(src\/[^`]+\.ts)`/g)];
  expect(pairs.length).toBeGreaterThan(2);
  const isThere = ([, name = '', path = '']: readonly string[]) =>
    new RegExp(`^(?: +|export (?:async )?function )${name}\\(`, 'm').test(read(path));
  expect(pairs.filter((pair) => !isThere(pair)).map(([text]) => text)).toEqual([]);
});

test('what is to be read takes fifteen minutes', () => {
  const wanted = [...tour.matchAll(/\*\*`(src\/[^`]+)`\*\*/g)].map(([, path = '']) => path);
  expect(wanted.length).toBeGreaterThan(10);
  const lines = wanted.reduce((sum, path) => sum + read(path).split('\n').length, 0);
  expect(lines).toBeLessThan(1600);
});

test('the index of decisions has each of them, and the files that they name are there', () => {
  const index = read('docs/decisions/README.md');
  const pages = readdirSync(join(root, 'docs/decisions')).filter((name) => name !== 'README.md');
  for (const page of pages) {
    const text = read(`docs/decisions/${page}`);
    const [, number = '', title = ''] = /^# (\d+)\. (.+)$/m.exec(text) ?? [];
    expect(index).toContain(`| ${number} | [${title}](${page}) |`);
    const named = [...text.matchAll(/`((?:src|test|scripts)\/[\w./-]+)`/g)].map(([, path = '']) => path);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  }
});

test('every boundary of the security model has a test, which is there', () => {
  const [, table = ''] = /^## Boundaries[^\n]*\n([\s\S]*?)(?=^## )/m.exec(read('docs/security.md')) ?? [];
  const rows = table.split('\n').filter((line) => /^\| (?!boundary|---)/.test(line));
  expect(rows.length).toBeGreaterThan(20);
  const isTest = (path: string) => {
    const full = join(root, path);
    if (existsSync(`${full}.test.ts`)) return true;
    return existsSync(full) && !path.endsWith('.ts') && readdirSync(full).some((name) => name.endsWith('.test.ts'));
  };
  for (const row of rows) {
    const named = [...(row.split('|').at(-2) ?? '').matchAll(/`((?:src|test)\/[^`]+)`/g)].map(([, path = '']) => path);
    expect(named.filter(isTest), row).not.toEqual([]);
    expect(
      named.filter((path) => !isTest(path) && !existsSync(join(root, path))),
      row,
    ).toEqual([]);
  }
});
