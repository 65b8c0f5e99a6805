import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'Start a DOS PC and tell me which version of DOS it says it is.',
  async solve({ call }) {
    await call('machine_start', { kind: 'dos' });
    await call('run', { screen_text: 'C:\\>' });
    return call('input_send', { text: 'ver\n', show: 'screen' });
  },
  check: ({ answer }) => wants(answer, /version|DOS/i),
};
