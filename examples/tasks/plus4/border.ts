import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'Make the border of a Plus/4 black with a POKE to $FF19 in BASIC, and tell me what the TED says about it.',
  async solve({ call }) {
    await call('machine_start', { kind: 'plus4' });
    await call('input_send', { text: 'POKE 65305,0\n' });
    return call('tool_find', { tool: 'chip_read', arguments: { chip: 'ted' } });
  },
  check: async ({ answer, look }) =>
    wants(answer, /black/i) ?? wants(await look('memory_read', { address: '$ff19', length: 1 }), /\s[08]0\b/),
};
