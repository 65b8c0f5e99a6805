import { shellConsole, type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'On the console with a shell (busybox sh): what is the exit code of ls /nowhere?',
  async solve({ call }) {
    await call('machine_start', { kind: 'console', options: shellConsole });
    return call('console_send', { run: 'ls /nowhere' });
  },
  check: ({ answer }) => wants(answer, /exit code [12]/),
};
