import { expect, test } from 'vitest';
import { runChaos } from '../support/fleet-chaos.ts';

test('faults at random for a while break no rule of the fleet', async () => {
  const { violations, calls, faults } = await runChaos(17, 20);
  expect(violations.join('\n')).toBe('');
  expect(calls).toBeGreaterThan(0);
  expect(Object.keys(faults).length).toBeGreaterThan(0);
}, 240_000);
