import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'On a C64, set A to 5, X to 6 and Y to 7 and tell me the registers.',
  async solve({ call }) {
    await call('machine_start', { kind: 'c64' });
    return call('registers_write', { values: { A: 5, X: 6, Y: 7 } });
  },
  check: async ({ look }) => wants(await look('state_read'), /A=05 X=06 Y=07/),
};
