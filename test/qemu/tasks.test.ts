import { expect, test } from 'vitest';
import { kernelTasks } from './tasks/index.ts';
import { Lab } from './vm.ts';

test.for(kernelTasks)('$name is found in at most $mostCalls calls', { timeout: 90_000 }, async (task) => {
  await using lab = new Lab();
  let calls = 0;
  const files = await task.prepare();
  const answer = await task.script((tool, args = {}) => {
    calls++;
    return lab.call(tool, { ...args });
  }, files);
  expect(answer).toMatch(task.expected);
  expect(calls).toBeLessThanOrEqual(task.mostCalls);
});
