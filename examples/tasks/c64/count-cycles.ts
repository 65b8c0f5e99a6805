import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'How many cycles does this C64 routine take from its first instruction up to its RTS: ldx #10 / loop dex / bne loop / rts? Measure it.',
  async solve({ call }) {
    await call('machine_start', { kind: 'c64' });
    await call('program_run', { source: '* = $c000\n sei\nstart ldx #10\nloop dex\n bne loop\nend rts', start: false });
    return call('tool_find', { tool: 'routine_call', arguments: { address: '$c001' } });
  },
  check: ({ answer }) => wants(answer, /\b(51|57)\b/),
};
