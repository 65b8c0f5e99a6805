import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'On a C64 save a snapshot when BASIC is ready, type PRINT 1, then go back to the snapshot. The screen must not show what was typed.',
  async solve({ call }) {
    await call('machine_start', { kind: 'c64' });
    await call('run', { screen_text: 'READY.' });
    await call('snapshot_save', { name: 'ready' });
    await call('input_send', { text: 'PRINT 1\n' });
    await call('snapshot_restore', { name: 'ready' });
    return call('screen_read');
  },
  check: async ({ look }) =>
    /PRINT 1/.test(await look('screen_read')) ? 'PRINT 1 is on screen' : wants(await look('snapshot_list'), /ready/),
};
