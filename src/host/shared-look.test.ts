import { expect, test } from 'vitest';
import { SharedLook } from './shared-look.ts';

test('however many ask, one looks at a time, and nobody is told what was seen before they asked', async () => {
  let looking = 0;
  let most = 0;
  let begun = 0;
  const shared = new SharedLook(async () => {
    const number = ++begun;
    most = Math.max(most, ++looking);
    await new Promise((resolve) => setImmediate(resolve));
    looking--;
    if (number === 2) throw new Error('seen nothing');
    return number;
  });
  const first = shared.next();
  const second = Array.from({ length: 1000 }, () => shared.next().catch((error: Error) => error.message));
  expect(await first).toBe(1);
  const third = Array.from({ length: 1000 }, () => shared.next());
  expect(new Set(await Promise.all(second))).toEqual(new Set(['seen nothing']));
  expect(Math.min(...(await Promise.all(third)))).toBeGreaterThan(2);
  expect(await shared.next()).toBeGreaterThan(3);
  expect({ most, begun }).toEqual({ most: 1, begun });
  expect(begun).toBeLessThan(7);
});
