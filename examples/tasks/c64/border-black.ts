import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'Start a C64 and make its border black with a BASIC command. Leave the machine running.',
  async solve({ call }) {
    await call('machine_start', { kind: 'c64' });
    await call('run', { screen_text: 'READY.' });
    return call('input_send', { text: 'POKE 53280,0\n', show: 'screen' });
  },
  check: async ({ look }) => wants(await look('memory_read', { address: '$d020', length: 1 }), /\$D020 +[0-9A-F]0\b/i),
};
