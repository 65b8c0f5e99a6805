import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'This line does not assemble on the DOS PC: mov ax,bl. What does the assembler say, and in which line?',
  async solve({ call }) {
    await call('machine_start', { kind: 'dos' });
    return call('program_run', { source: 'nop\nmov ax,bl' });
  },
  check: ({ answer }) => wants(answer, /line 2/),
};
