import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'On a DOS PC write the text OK in white on black into the first two cells of the text screen at B800:0000, without a program.',
  async solve({ call }) {
    await call('machine_start', { kind: 'dos' });
    await call('run', { screen_text: 'C:\\>' });
    await call('memory_write', { address: 'b800:0000', bytes: '4f 0f 4b 0f' });
    return call('screen_read');
  },
  check: async ({ look }) => wants(await look('screen_read'), /^OK/m),
};
