import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'On a DOS PC switch to the 320x200 graphics mode with a program and show me the picture.',
  async solve({ call }) {
    await call('machine_start', { kind: 'dos' });
    return call('program_run', {
      source: 'mov ax,13h\nint 10h\nmov ax,0a000h\nmov es,ax\nmov al,4\nxor di,di\nmov cx,64000\nrep stosb\nx: jmp x',
      frames: 20,
      show: 'screen',
    });
  },
  check: async ({ look }) => wants(await look('screen_read', { mode: 'image' }), /picture of 320x/),
};
