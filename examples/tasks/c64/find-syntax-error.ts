import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'This BASIC program does not run on a C64: 10 PRITN "X". Find out what BASIC says about it.',
  async solve({ call }) {
    await call('machine_start', { kind: 'c64' });
    return call('program_run', { language: 'basic', source: '10 PRITN"X"', frames: 30, show: 'screen' });
  },
  check: ({ answer }) => wants(answer, /SYNTAX *ERROR/),
};
