import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    "Ask VICE's own monitor what the VIC-II of a C64 in VICE (kind vice) does: which mode, and where is the character set?",
  async solve({ call }) {
    await call('machine_start', { kind: 'vice' });
    return call('tool_find', { tool: 'monitor_execute', arguments: { command: 'io d000' } });
  },
  check: ({ answer }) => wants(answer, /standard text/i) ?? wants(answer, /\$1000/),
};
