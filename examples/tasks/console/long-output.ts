import { shellConsole, type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'On the console with a shell (busybox sh) run seq 1 5000 and tell me the last number, without reading everything.',
  async solve({ call }) {
    await call('machine_start', { kind: 'console', options: shellConsole });
    return call('console_send', { run: 'seq 1 5000' });
  },
  check: ({ answer }) => wants(answer, /5000\s/),
};
