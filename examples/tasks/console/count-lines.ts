import { shellConsole, type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'On the console with a shell (busybox sh): how many lines does seq 1 250 print? Count them there.',
  async solve({ call }) {
    await call('machine_start', { kind: 'console', options: shellConsole });
    return call('console_send', { run: 'seq 1 250 | wc -l' });
  },
  check: ({ answer }) => wants(answer, /\b250\b/),
};
