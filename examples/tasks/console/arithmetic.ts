import { shellConsole, type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'A shell is on a console of the command busybox sh. What is 6*7 there?',
  async solve({ call }) {
    await call('machine_start', { kind: 'console', options: shellConsole });
    return call('console_send', { run: 'echo $((6*7))' });
  },
  check: ({ answer }) => wants(answer, /\b42\b/),
};
