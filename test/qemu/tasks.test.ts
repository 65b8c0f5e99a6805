import { expect, test } from 'vitest';
import { findTasks } from '../../scripts/eval/find-tasks.ts';
import { runTask } from '../../scripts/eval/run-task.ts';

const tasks = (await findTasks()).filter(({ kind, name }) => kind === 'qemu' && name.startsWith('kernel-'));

test('there are eight faults to find', () => expect(tasks).toHaveLength(8));

test.for(tasks)(
  '$name is found over MCP, in as few calls as its task allows',
  { timeout: 180_000 },
  async ({ task }) => {
    const { problem, calls, wrong } = await runTask(task);
    expect({ problem, wrong }).toEqual({ problem: undefined, wrong: 0 });
    expect(calls).toBeLessThanOrEqual(6);
  },
);

test('more calls than a task allows are a problem', { timeout: 180_000 }, async () => {
  const [first] = tasks;
  if (!first) throw new Error('no task');
  const { solve, ...rest } = first.task;
  const busy = { ...rest, check: () => undefined, prepare: async () => {}, solve };
  const { problem } = await runTask(busy, async ({ call }) => {
    for (let count = 0; count < 7; count++) await call('machine_list');
    return '';
  });
  expect(problem).toBe('7 calls instead of 6');
});
