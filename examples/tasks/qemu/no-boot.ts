import { bootSector } from '../boot-sector.ts';
import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'Start QEMU with the floppy no-boot.img, which says on the serial port what is missing. What is it?',
  async prepare(folder) {
    await bootSector(
      folder,
      'no-boot',
      `  mov si,text
  call say
halt: hlt
  jmp halt
text: db 'missing: second stage at sector 2',10,0`,
    );
  },
  async solve({ call, folder }) {
    await call('machine_start', {
      kind: 'qemu',
      options: { drives: [`${folder}/no-boot.img,floppy`], memory: 16, paused: false },
    });
    return call('console_read', { expect: '/missing: .*/' });
  },
  check: ({ answer }) => wants(answer, /second stage/),
};
