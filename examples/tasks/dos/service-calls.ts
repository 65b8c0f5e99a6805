import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'Which DOS function (AH) does this program call first? mov ah,2ch / int 21h / ret. Take it from the log of service calls.',
  async solve({ call }) {
    await call('machine_start', { kind: 'dos' });
    await call('program_run', { source: 'mov ah,2ch\nint 21h\nret' });
    return call('tool_find', { tool: 'calls_read', arguments: {} });
  },
  check: ({ answer }) => wants(answer, /2c/i),
};
