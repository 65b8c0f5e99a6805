import { shellConsole, type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'On the console with a shell (busybox sh) start sleep 1 followed by echo READY-NOW and wait until it is printed.',
  async solve({ call }) {
    await call('machine_start', { kind: 'console', options: shellConsole });
    return call('console_send', { text: 'sleep 1; echo READY-$((1+1))', expect: 'READY-2' });
  },
  check: ({ answer }) => wants(answer, /matched .*READY-2/),
};
