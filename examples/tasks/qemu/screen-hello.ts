import { bootSector } from '../boot-sector.ts';
import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'Boot the floppy screen-hello.img under QEMU and tell me what it writes in the first row of the screen.',
  async prepare(folder) {
    await bootSector(
      folder,
      'screen-hello',
      `  mov ax,3
  int 10h
  mov ax,0b800h
  mov es,ax
  xor di,di
  mov si,text
put: lodsb
  test al,al
  jz halt
  mov ah,15
  stosw
  jmp put
halt: hlt
  jmp halt
text: db 'ON SCREEN',0`,
    );
  },
  async solve({ call, folder }) {
    await call('machine_start', {
      kind: 'qemu',
      options: { drives: [`${folder}/screen-hello.img,floppy`], memory: 16, paused: false },
    });
    return call('run', { screen_text: 'ON SCREEN', show: 'screen' });
  },
  check: async ({ answer, look }) => wants(answer, /ON SCREEN/) ?? wants(await look('screen_read'), /ON SCREEN/),
};
