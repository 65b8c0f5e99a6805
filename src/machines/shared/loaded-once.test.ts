import { expect, test } from 'vitest';
import { loadedOnce } from './loaded-once.ts';

test('what is there already is not loaded again, and what failed is tried again', async () => {
  let asked = 0;
  const load = loadedOnce(async () => {
    asked += 1;
    if (asked === 1) throw new Error('no such file');
    return asked;
  });
  await expect(load()).rejects.toThrow('no such file');
  expect(await Promise.all([load(), load()])).toEqual([2, 2]);
  expect(await load()).toBe(2);
});
