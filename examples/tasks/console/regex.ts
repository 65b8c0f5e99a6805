import { shellConsole, type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'On the console with a shell (busybox sh) print version 3.14.15 and wait for a version number by pattern; which one is it?',
  async solve({ call }) {
    await call('machine_start', { kind: 'console', options: shellConsole });
    return call('console_send', { text: 'echo version 3.14.$((10+5))', expect: '/version \\d+\\.\\d+\\.\\d+/' });
  },
  check: ({ answer }) => wants(answer, /3\.14\.15/),
};
