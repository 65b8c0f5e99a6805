import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'Start a Plus/4 and tell me how many bytes BASIC has free.',
  async solve({ call }) {
    await call('machine_start', { kind: 'plus4' });
    return call('run', { screen_text: 'READY.', show: 'screen' });
  },
  check: ({ answer }) => wants(answer, /28671 BYTES FREE/),
};
