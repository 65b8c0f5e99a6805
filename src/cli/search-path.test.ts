import { delimiter } from 'node:path';
import { expect, test } from 'vitest';
import { keepAbsolutePlaces } from './search-path.ts';

test.each([
  [['/usr/bin', '/bin'], '/usr/bin /bin', []],
  [['.', '/bin'], '/bin', ['.']],
  [['', '/bin', ''], '/bin', []],
  [['/bin', 'bin', '../bin', '~/bin'], '/bin', ['bin', '../bin', '~/bin']],
])('%j', (places, kept, others) => {
  const env = { PATH: places.join(delimiter) };
  expect(keepAbsolutePlaces(env)).toEqual(others);
  expect(env.PATH).toBe(kept.replaceAll(' ', delimiter));
});

test('no PATH stays none', () => {
  const env = {};
  expect(keepAbsolutePlaces(env)).toEqual([]);
  expect(env).toEqual({});
});
