import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'On a DOS PC save a snapshot at the prompt, type CLS, and go back so that the screen is as it was.',
  async solve({ call }) {
    await call('machine_start', { kind: 'dos' });
    await call('run', { screen_text: 'C:\\>' });
    await call('snapshot_save', { name: 'prompt' });
    await call('input_send', { text: 'echo GONE\n' });
    await call('snapshot_restore', { name: 'prompt' });
    return call('screen_read');
  },
  check: async ({ look }) =>
    /GONE/.test(await look('screen_read')) ? 'GONE is on screen' : wants(await look('snapshot_list'), /prompt/),
};
