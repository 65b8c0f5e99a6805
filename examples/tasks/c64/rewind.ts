import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'On a C64, run 50 frames, note the cycle count, then go back 10 frames in time. At which frame is the machine now?',
  async solve({ call }) {
    await call('machine_start', { kind: 'c64' });
    await call('run', { frames: 50 });
    return call('run', { frames: 10, back: true });
  },
  check: ({ answer }) => wants(answer, /frame (189|190|191)\b/),
};
