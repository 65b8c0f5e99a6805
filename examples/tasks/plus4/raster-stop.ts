import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'Stop a Plus/4 in raster line 100 and leave it there. What does $FF1D (the line, low byte) read?',
  async solve({ call }) {
    await call('machine_start', { kind: 'plus4' });
    await call('run', { condition: 'raster_line == 100' });
    return call('memory_read', { address: '$ff1d', length: 1 });
  },
  check: async ({ answer, look }) => wants(answer, /\b(64|100)\b/) ?? wants(await look('state_read'), /line 100,/),
};
