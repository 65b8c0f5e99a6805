import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'Make border and background of a VIC-20 black with a POKE in BASIC, and tell me what the VIC chip says about its colours.',
  async solve({ call }) {
    await call('machine_start', { kind: 'vic20' });
    await call('input_send', { text: 'POKE 36879,8\n' });
    return call('tool_find', { tool: 'chip_read', arguments: { chip: 'vic' } });
  },
  check: async ({ look }) => wants(await look('memory_read', { address: '$900f', length: 1 }), /\s08\b/),
};
