import { expect, test } from 'vitest';
import { attack } from '../attack/attack.ts';

test('each sixth attack: nothing gets through, the server lives, its files are as they were', {
  timeout: 300_000,
}, async () => {
  const { cases, through } = await attack(() => {}, 6);
  expect(through).toEqual([]);
  expect(cases).toBeGreaterThan(100);
});
