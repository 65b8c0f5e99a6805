import { bootSector } from '../boot-sector.ts';
import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'Boot the floppy memory-value.img under QEMU. It leaves a number at address 0x500; which?',
  async prepare(folder) {
    await bootSector(
      folder,
      'memory-value',
      `  mov word [500h],4321
  mov si,text
  call say
halt: hlt
  jmp halt
text: db 'SET',10,0`,
    );
  },
  async solve({ call, folder }) {
    await call('machine_start', {
      kind: 'qemu',
      options: { drives: [`${folder}/memory-value.img,floppy`], memory: 16, paused: false },
    });
    await call('console_read', { expect: 'SET' });
    return call('memory_read', { address: '0x500', length: 2 });
  },
  check: ({ answer }) => wants(answer, /e1 10/i),
};
