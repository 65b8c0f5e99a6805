import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'On a DOS PC this program counts in BX: xor bx,bx / again: inc bx / cmp bx,1234 / jne again / ret. Stop it when BX is 1000 and prove it.',
  async solve({ call }) {
    await call('machine_start', { kind: 'dos' });
    await call('breakpoint_set', { type: 'program' });
    await call('program_run', { source: 'xor bx,bx\nagain: inc bx\ncmp bx,1234\njne again\nret' });
    return call('run', { condition: 'bx == 1000', show: 'state' });
  },
  check: ({ answer }) => wants(answer, /BX=(0x)?(0000)?0?3E8/i),
};
