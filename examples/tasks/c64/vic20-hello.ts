import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'Start a VIC-20 and tell me how many bytes BASIC has free.',
  async solve({ call }) {
    await call('machine_start', { kind: 'vic20' });
    return call('run', { screen_text: 'READY.', show: 'screen' });
  },
  check: ({ answer }) => wants(answer, /3583 BYTES FREE/),
};
