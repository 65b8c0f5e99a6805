import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'On a DOS PC make a directory WORK on drive C: and show that it is there.',
  async solve({ call }) {
    await call('machine_start', { kind: 'dos' });
    await call('run', { screen_text: 'C:\\>' });
    await call('input_send', { text: 'md work\n' });
    return call('input_send', { text: 'dir\n', show: 'screen' });
  },
  check: async ({ look }) => wants(await look('screen_read'), /WORK +<DIR>/),
};
