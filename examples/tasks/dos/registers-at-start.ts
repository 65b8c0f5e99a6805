import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'At the first instruction of a COM program on the DOS PC, what is the value of IP, and are CS and DS equal?',
  async solve({ call }) {
    await call('machine_start', { kind: 'dos' });
    await call('breakpoint_set', { type: 'program' });
    await call('program_run', { source: 'mov ax,1\nret' });
    return call('state_read');
  },
  check: ({ answer }) => wants(answer, /\bE?IP=(0x)?0*100\b/i),
};
