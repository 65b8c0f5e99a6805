import { spawnSync } from 'node:child_process';
import { createReadStream, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LineFile } from './line-file.ts';

const patience = { timeout: 20_000, interval: 20 };
let dir: string;
let path: string;
let reports: string[];
let file: LineFile;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fp-'));
  path = join(dir, 'lines');
  reports = [];
  file = new LineFile(path, {
    report: (text) => reports.push(text),
    lossLine: (count) => `lost ${count}`,
  });
});
afterEach(async () => {
  await file.close();
  await rm(dir, { recursive: true, force: true });
});

const lines = (of = path) => readFileSync(of, 'utf8').split('\n').slice(0, -1);
const written = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

test('lines are appended in order, for this user only', async () => {
  for (const line of written(1000)) file.write(line);
  await file.close();
  expect(lines()).toEqual(written(1000));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(reports).toEqual([]);
});

test('what a full disk does not take is written when there is room again', async () => {
  await symlink('/dev/full', path);
  for (const line of written(10)) file.write(line);
  await expect.poll(() => reports, patience).toEqual([expect.stringMatching(/cannot be written; retrying: ENOSPC/)]);
  file.write('line 10');
  await rm(path);
  await expect.poll(() => reports.length, patience).toBe(2);
  expect(reports[1]).toContain('can be written again');
  await file.close();
  expect(lines()).toEqual(written(11));
});

test('what no longer fits is counted, and stands in the file as a line of its own', async () => {
  await symlink('/dev/full', path);
  const padded = (index: number) => `${index} ${'x'.repeat(1000)}`;
  const count = 8000;
  for (let index = 0; index < count; index++) file.write(padded(index));
  await expect.poll(() => reports.length, patience).toBe(1);
  await rm(path);
  await expect.poll(() => lines().some((line) => line.startsWith('lost')), patience).toBe(true);
  file.write('after it');
  await file.close();
  const found = lines();
  const lost = found.filter((line) => line.startsWith('lost'));
  expect(lost).toHaveLength(1);
  const kept = found.filter((line) => line.includes('xxx'));
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => padded(index)));
  expect(kept.length).toBeGreaterThan(3000);
  expect(kept.length + Number(lost[0]?.slice(5))).toBe(count);
  expect(found.at(-1)).toBe('after it');
});

test('a pipe that takes only pieces gets whole lines, none twice and none lost', async () => {
  spawnSync('mkfifo', [path]);
  const expected = Array.from({ length: 3000 }, (_, index) => `${index} ${'y'.repeat(index % 300)}`);
  for (const line of expected) file.write(line);
  await delay(50);
  let got = '';
  const reader = createReadStream(path, { encoding: 'utf8', highWaterMark: 1024 });
  reader.on('data', (text) => {
    got += text;
  });
  await expect.poll(() => got.split('\n').length - 1, patience).toBe(expected.length);
  expect(got.split('\n').slice(0, -1)).toEqual(expected);
  await file.close();
});

test('a file that was moved away is left alone, and another one begun', async () => {
  file.write('one');
  await expect.poll(() => lines(), patience).toEqual(['one']);
  await rename(path, `${path}.1`);
  file.write('two');
  await file.close();
  expect([lines(`${path}.1`), lines()]).toEqual([['one'], ['two']]);
});

test('a file that can never be written keeps nobody from ending', async () => {
  const never = new LineFile('/proc/no/such/file', { report: (text) => reports.push(text), lossLine: String });
  never.write('x');
  await expect.poll(() => reports.length, patience).toBe(1);
  await never.close();
  expect(reports[0]).toContain('ENOENT');
});
