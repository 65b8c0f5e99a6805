import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'Where in the memory of a C64 with BASIC ready does the text of the start-up line lie on screen? Give the address of its first byte with screen codes 12 05 01 04 19 (READY).',
  async solve({ call }) {
    await call('machine_start', { kind: 'c64' });
    await call('run', { screen_text: 'READY.' });
    return call('tool_find', {
      tool: 'memory_search',
      arguments: { pattern: '12 05 01 04 19', from: '$0400', length: 1000 },
    });
  },
  check: ({ answer }) => wants(answer, /\$04[0-9A-F]{2}/i),
};
