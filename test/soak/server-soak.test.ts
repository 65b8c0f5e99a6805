import { expect, test } from 'vitest';
import { soak } from './server-soak.ts';

test('machines of every kind used over MCP for some seconds: nothing is lost, nothing goes wrong', {
  timeout: 180_000,
}, async () => {
  const { problems, lostBytes, linesRead, machinesStarted } = await soak(15_000, () => {});
  expect(problems).toEqual([]);
  expect(lostBytes).toBe(0);
  expect(linesRead).toBeGreaterThan(50);
  expect(machinesStarted).toBeGreaterThanOrEqual(4);
});
