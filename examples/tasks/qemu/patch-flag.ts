import { bootSector } from '../boot-sector.ts';
import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'The boot sector of patch-flag.img waits until the byte at 0x600 is 1. Set it under QEMU and tell me what it prints.',
  async prepare(folder) {
    await bootSector(
      folder,
      'patch-flag',
      `  mov byte [600h],0
  mov si,wait
  call say
again: cmp byte [600h],1
  jne again
  mov si,text
  call say
halt: hlt
  jmp halt
wait: db 'WAITING',10,0
text: db 'FREED',10,0`,
    );
  },
  async solve({ call, folder }) {
    await call('machine_start', {
      kind: 'qemu',
      options: { drives: [`${folder}/patch-flag.img,floppy`], memory: 16, paused: false },
    });
    await call('console_read', { expect: 'WAITING' });
    await call('pause');
    await call('memory_write', { address: '0x600', bytes: '01' });
    await call('run', { timeout_ms: 500 });
    return call('console_read', { expect: 'FREED' });
  },
  check: ({ answer }) => wants(answer, /FREED/),
};
