import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'Make the border of a C64 in VICE (kind vice) black with a POKE in BASIC, and tell me what the VIC-II says about it.',
  async solve({ call }) {
    await call('machine_start', { kind: 'vice' });
    await call('input_send', { text: 'POKE 53280,0\n' });
    return call('tool_find', { tool: 'chip_read', arguments: { chip: 'vic2' } });
  },
  check: async ({ answer, look }) =>
    wants(answer, /black/i) ?? wants(await look('memory_read', { address: '$d020', length: 1 }), /\s.0\b/),
};
