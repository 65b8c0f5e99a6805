import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'Which instruction of this C64 program writes to $0400, and at which address does it stand? * = $c000: lda #5 / sta $0400 / rts',
  async solve({ call }) {
    await call('machine_start', { kind: 'c64' });
    await call('program_run', { source: '* = $c000\n lda #5\n sta $0400\n rts', start: true });
    await call('breakpoint_set', { address: '$0400', type: 'write' });
    return call('run', { frames: 10, show: 'state' });
  },
  check: ({ answer }) => wants(answer, /C00[25]/i),
};
