import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'On a DOS PC run a program that ends with exit code 7 and a batch that shows it with IF ERRORLEVEL.',
  async solve({ call }) {
    await call('machine_start', { kind: 'dos' });
    await call('program_run', { source: 'mov ax,4c07h\nint 21h' });
    return call('input_send', { text: 'if errorlevel 7 echo SEVEN\n', show: 'screen' });
  },
  check: async ({ look }) => wants(await look('screen_read'), /^SEVEN/m),
};
