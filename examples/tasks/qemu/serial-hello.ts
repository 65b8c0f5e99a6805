import { bootSector } from '../boot-sector.ts';
import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'Boot the floppy serial-hello.img under QEMU and tell me what it prints on the serial port.',
  async prepare(folder) {
    await bootSector(
      folder,
      'serial-hello',
      `  mov si,text
  call say
halt: hlt
  jmp halt
text: db 'HELLO SECTOR',10,0`,
    );
  },
  async solve({ call, folder }) {
    await call('machine_start', {
      kind: 'qemu',
      options: { drives: [`${folder}/serial-hello.img,floppy`], memory: 16, paused: false },
    });
    return call('console_read', { expect: 'SECTOR' });
  },
  check: ({ answer }) => wants(answer, /HELLO SECTOR/),
};
