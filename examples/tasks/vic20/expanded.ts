import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'Start a VIC-20 with 8 KB more memory. How many bytes has BASIC, and at which address is the screen now?',
  async solve({ call }) {
    await call('machine_start', { kind: 'vic20', options: { expansion: '8k' } });
    const screen = await call('screen_read');
    return `${screen}\n${await call('tool_find', { tool: 'chip_read', arguments: { chip: 'vic' } })}`;
  },
  check: ({ answer }) => wants(answer, /\b11775\b/) ?? wants(answer, /\$1000/),
};
