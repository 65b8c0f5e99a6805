import { shellConsole, type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'On the console with a shell (busybox sh) set a variable COLOUR to green and use it in a second command.',
  async solve({ call }) {
    await call('machine_start', { kind: 'console', options: shellConsole });
    await call('console_send', { run: 'COLOUR=green' });
    return call('console_send', { run: 'echo the colour is $COLOUR' });
  },
  check: async ({ look }) => wants(await look('console_send', { run: 'echo $COLOUR' }), /green/),
};
