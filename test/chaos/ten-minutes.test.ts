import { expect, test } from 'vitest';
import { runChaos } from '../support/fleet-chaos.ts';

const seconds = 600;

test('ten minutes of faults at random break no rule of the fleet', { timeout: 3 * seconds * 1000 }, async () => {
  const { violations, calls, faults } = await runChaos(1, seconds);
  expect(violations.join('\n')).toBe('');
  expect(calls).toBeGreaterThan(seconds);
  expect(Object.values(faults).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(seconds / 20);
});
