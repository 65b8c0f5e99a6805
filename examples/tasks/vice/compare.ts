import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'Does this program do the same for 30 frames on VICE (kind vice) and on the built-in C64, down to every pixel? * = $c000 / sei / loop inc $d020 / jmp loop. Compare them.',
  async solve({ call }) {
    await call('machine_start', { kind: 'vice' });
    const source = '* = $c000\n sei\nloop inc $d020\n jmp loop';
    return call('tool_find', { tool: 'program_compare', arguments: { source, frames: 30 } });
  },
  check: ({ answer }) => wants(answer, /\bsame\b/i),
};
