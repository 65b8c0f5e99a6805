import { expect, test } from 'vitest';
import { NamedSnapshots } from './named-snapshots.ts';

const info = (name: string, bytes = 1) => ({ name, bytes, time: 'cycle 0' });

test('a name is kept once, and found with what was kept', () => {
  const shelf = new NamedSnapshots<string>();
  shelf.save(info('a'), () => 'old');
  shelf.save(info('b'), () => 'other');
  shelf.save(info('a', 2), () => 'new');
  expect(shelf.list()).toEqual([info('a', 2), info('b')]);
  expect(shelf.find('a').kept).toBe('new');
  shelf.delete('a');
  expect(shelf.all).toEqual(['other']);
  expect(() => shelf.delete('a')).toThrow(
    expect.objectContaining({ type: 'NOT_FOUND', message: 'No snapshot "a".', fix: 'There are: b.' }),
  );
});

test('nothing is copied for which there is no room', () => {
  const shelf = new NamedSnapshots<string>();
  shelf.save(info('big', 200 << 20), () => 'big');
  const copy = () => {
    throw new Error('copied');
  };
  expect(() => shelf.save(info('more', 100 << 20), copy)).toThrow(/256 MiB of them are kept at most/);
  shelf.save(info('big', 250 << 20), () => 'bigger');
  for (let n = 1; n < 256; n++) shelf.save(info(String(n)), () => '');
  expect(() => shelf.save(info('more'), copy)).toThrow(/256 of them are kept at most/);
});
