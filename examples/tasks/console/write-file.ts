import { shellConsole, type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'On the console with a shell (busybox sh) write the word done into the file result.txt of its folder.',
  async solve({ call }) {
    await call('machine_start', { kind: 'console', options: shellConsole });
    return call('console_send', { run: 'echo done > result.txt; cat result.txt' });
  },
  check: async ({ look }) => wants(await look('console_send', { run: 'cat result.txt' }), /done/),
};
