import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'On a C64, switch on sprite 0 at x 100, y 100 and tell me what the VIC-II says about it.',
  async solve({ call }) {
    await call('machine_start', { kind: 'c64' });
    await call('run', { screen_text: 'READY.' });
    await call('memory_write', { address: '$d000', bytes: '64 64' });
    await call('memory_write', { address: '$d015', bytes: '01' });
    return call('tool_find', { tool: 'chip_read', arguments: { chip: 'vic2', view: 'sprites' } });
  },
  check: async ({ look }) => wants(await look('memory_read', { address: '$d000', length: 22 }), /64 64[\s\S]*01/),
};
