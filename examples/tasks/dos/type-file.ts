import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'On a DOS PC create C:\\\\NOTE.TXT with the line HELLO FILE and print it.',
  async solve({ call }) {
    await call('machine_start', { kind: 'dos' });
    await call('run', { screen_text: 'C:\\>' });
    await call('input_send', { text: 'echo HELLO FILE > note.txt\n' });
    return call('input_send', { text: 'type note.txt\n', show: 'screen' });
  },
  check: async ({ look }) => wants(await look('screen_read'), /^HELLO FILE/m),
};
