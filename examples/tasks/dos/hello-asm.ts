import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'On a DOS PC run a program that prints FORTY-TWO through INT 21h, function 9.',
  async solve({ call }) {
    await call('machine_start', { kind: 'dos' });
    return call('program_run', {
      source: "mov ah,9\nmov dx,text\nint 21h\nret\ntext: db 'FORTY-TWO$'",
      screen_text: 'FORTY-TWO',
      show: 'screen',
    });
  },
  check: async ({ answer, look }) => wants(answer, /FORTY-TWO/) ?? wants(await look('screen_read'), /FORTY-TWO/),
};
