import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'Have a VIC-20 play a tone: volume 15, the third tone (register $900C) at 200. What does the chip say about that voice?',
  async solve({ call }) {
    await call('machine_start', { kind: 'vic20' });
    await call('input_send', { text: 'POKE 36878,15:POKE 36876,200\n' });
    return call('tool_find', { tool: 'chip_read', arguments: { chip: 'vic', view: 'voice', index: 2 } });
  },
  check: async ({ look }) => wants(await look('memory_read', { address: '$900c', length: 3 }), /\sC8 .. .F/i),
};
