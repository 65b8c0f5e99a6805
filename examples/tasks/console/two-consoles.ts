import { shellConsole, type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'Start two consoles with a shell each (busybox sh), write A into a variable of the first and B into one of the second, and show that they do not share it.',
  async solve({ call }) {
    for (const name of ['one', 'two']) await call('machine_start', { kind: 'console', name, options: shellConsole });
    await call('console_send', { machine: 'one', run: 'X=A' });
    await call('console_send', { machine: 'two', run: 'X=B' });
    return call('console_send', { machine: 'one', run: 'echo value $X' });
  },
  check: async ({ look }) =>
    wants(await look('console_send', { machine: 'one', run: 'echo $X' }), /^A$/m) ??
    wants(await look('console_send', { machine: 'two', run: 'echo $X' }), /^B$/m),
};
