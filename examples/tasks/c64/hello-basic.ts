import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'On a C64, run a BASIC program that prints HELLO 42 and tell me what the screen says.',
  async solve({ call }) {
    await call('machine_start', { kind: 'c64' });
    return call('program_run', {
      language: 'basic',
      source: '10 PRINT "HELLO";6*7',
      screen_text: 'HELLO 42',
      show: 'screen',
    });
  },
  check: async ({ answer, look }) => wants(answer, /HELLO 42/) ?? wants(await look('screen_read'), /HELLO 42/),
};
