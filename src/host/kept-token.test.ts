import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keptToken } from './kept-token.ts';

let home: string;
let warnings: string[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'fp-token-'));
  mkdirSync(join(home, 'frontpanel'));
  warnings = [];
});
afterEach(() => rmSync(home, { recursive: true }));

const path = () => join(home, 'frontpanel', 'token');
const token = () => keptToken({ XDG_STATE_HOME: home }, (text) => warnings.push(text));
const together = async () => new Set(await Promise.all(Array.from({ length: 30 }, token)));

test('servers that start at the same time have one token, the one that is kept', async () => {
  const [first, ...others] = await together();
  expect(others).toEqual([]);
  expect(readFileSync(path(), 'utf8')).toBe(`${first}\n`);
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(await token()).toBe(first);
  expect(readdirSync(join(home, 'frontpanel'))).toEqual(['token']);
  expect(warnings).toEqual([]);
});

test.for([
  ['that others can read', 'a-token-that-others-can-read', 0o644],
  ['that is none', 'short', 0o600],
  ['that is empty', '', 0o600],
] as const)('one %s is replaced, by one for all', async ([, content, mode]) => {
  writeFileSync(path(), content, { mode });
  const [first, ...others] = await together();
  expect(others).toEqual([]);
  expect(first).not.toBe(content);
  expect(readFileSync(path(), 'utf8')).toBe(`${first}\n`);
  expect(readdirSync(join(home, 'frontpanel'))).toEqual(['token']);
});

test('who died while replacing one holds up nobody', async () => {
  writeFileSync(path(), 'short');
  const mark = `${path()}.replaced`;
  writeFileSync(mark, '');
  utimesSync(mark, new Date(0), new Date(0));
  expect(await token()).toBe(await token());
  expect(readdirSync(join(home, 'frontpanel'))).toEqual(['token']);
});

test('where it cannot be kept, there is one all the same, and a word of it', async () => {
  mkdirSync(path());
  expect(await token()).toMatch(/^[\w-]{32}$/);
  expect(warnings.join()).toContain('cannot be kept');
  expect(readdirSync(join(home, 'frontpanel'))).toEqual(['token']);
});

test('each team has a token of its own, and the one without a team another', async () => {
  const of = (team?: string) => keptToken({ XDG_STATE_HOME: home }, (text) => warnings.push(text), team);
  const [none, a, b, path] = [await of(), await of('a'), await of('b'), await of('../token')];
  expect(new Set([none, a, b, path]).size).toBe(4);
  expect([await of(), await of('a'), await of('b')]).toEqual([none, a, b]);
  expect(warnings).toEqual([]);
});
