import { shellConsole, type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'On the console with a shell (busybox sh) clear the terminal with an escape sequence, print MENU in row 5, and read it as a terminal shows it.',
  async solve({ call }) {
    await call('machine_start', { kind: 'console', options: shellConsole });
    await call('console_send', { run: "printf '\\033[2J\\033[5;10HMENU'" });
    return call('console_read', { view: 'screen' });
  },
  check: ({ answer }) => wants(answer, /MENU/),
};
