import { shellConsole, type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'On the console with a shell (busybox sh) start sleep 100, interrupt it, and show that the shell answers again.',
  async solve({ call }) {
    await call('machine_start', { kind: 'console', options: shellConsole });
    await call('console_send', { text: 'sleep 100', quiet_ms: 300 });
    await call('console_send', { keys: ['ctrl-c'], quiet_ms: 300 });
    return call('console_send', { run: 'echo alive' });
  },
  check: ({ answer }) => wants(answer, /alive/),
};
