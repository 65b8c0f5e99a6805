import { describe, expect, test } from 'vitest';
import { findTasks } from '../../scripts/eval/find-tasks.ts';
import { runTask } from '../../scripts/eval/run-task.ts';

/** The short form of `npm run eval`: one of each kind that needs nothing but this computer, and what guards the checkers. */
const short = [
  'c64/hello-basic',
  'vic20/fill-line',
  'plus4/fill-line',
  'dos/hello-asm',
  'dos/copy-protection',
  'console/arithmetic',
];
const tasks = await findTasks();

test('there are at least twelve tasks per kind, each with a prompt', () => {
  for (const kind of ['c64', 'vic20', 'plus4', 'vice', 'dos', 'qemu', 'console']) {
    expect(tasks.filter((task) => task.kind === kind).length, kind).toBeGreaterThanOrEqual(12);
  }
  for (const { task, name } of tasks) expect(task.prompt.length, name).toBeGreaterThan(30);
});

describe.each(short)('%s', (name) => {
  const task = tasks.find((each) => `${each.kind}/${each.name}` === name)?.task;
  if (!task) throw new Error(`no task ${name}`);

  test('is done by its script, without a wrong attempt', async () => {
    expect(await runTask(task)).toMatchObject({ problem: undefined, wrong: 0 });
  });

  test('is not done by an agent that does nothing', async () => {
    expect((await runTask(task, async () => 'Done.')).problem).toBeDefined();
  });
});
