import { shellConsole, type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'On the console with a shell (busybox sh) wait for OK but stop at once if ERROR appears; run echo ERROR 5.',
  async solve({ call }) {
    await call('machine_start', { kind: 'console', options: shellConsole });
    return call('console_send', { text: 'echo ERR""OR 5', expect: 'NEVER', fail_on: ['ERROR 5'] });
  },
  check: ({ answer }) => wants(answer, /FAILED: .*ERROR 5/),
};
