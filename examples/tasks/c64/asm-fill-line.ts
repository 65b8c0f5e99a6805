import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'On a C64, write a machine program that fills the first screen line with the letter A.',
  async solve({ call }) {
    await call('machine_start', { kind: 'c64' });
    return call('program_run', {
      source: '* = $c000\n ldx #39\n lda #1\nloop sta $0400,x\n dex\n bpl loop\n rts',
      frames: 5,
      show: 'screen',
    });
  },
  check: async ({ look }) => wants(await look('screen_read'), /A{40}/i),
};
