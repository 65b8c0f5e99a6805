import { bootSector } from '../boot-sector.ts';
import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'Boot disassemble.img under QEMU and tell me the first instruction at 0x7c00 (16-bit code).',
  async prepare(folder) {
    await bootSector(
      folder,
      'disassemble',
      `  mov si,text
  call say
halt: hlt
  jmp halt
text: db 'HERE',10,0`,
    );
  },
  async solve({ call, folder }) {
    await call('machine_start', {
      kind: 'qemu',
      options: { drives: [`${folder}/disassemble.img,floppy`], memory: 16, paused: false },
    });
    await call('console_read', { expect: 'HERE' });
    await call('pause');
    return call('disassemble', { address: '0x7c00', count: 3 });
  },
  check: ({ answer }) => wants(answer, /cli/i),
};
