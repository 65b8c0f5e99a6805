import { bootSector } from '../boot-sector.ts';
import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'The boot sector of key-press.img prints KEY on the serial port when a key is pressed. Press one under QEMU.',
  async prepare(folder) {
    await bootSector(
      folder,
      'key-press',
      `  mov si,text
  call say
  xor ah,ah
  int 16h
  mov si,key
  call say
halt: hlt
  jmp halt
text: db 'PRESS',10,0
key: db 'KEY!',10,0`,
    );
  },
  async solve({ call, folder }) {
    await call('machine_start', {
      kind: 'qemu',
      options: { drives: [`${folder}/key-press.img,floppy`], memory: 16, paused: false },
    });
    await call('console_read', { expect: 'PRESS' });
    await call('input_send', { keys: ['a'] });
    return call('console_read', { expect: 'KEY!' });
  },
  check: ({ answer }) => wants(answer, /KEY!/),
};
