import { bootSector } from '../boot-sector.ts';
import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'Boot reset.img under QEMU; it prints BOOT each time it starts. Reset the machine once and show that it printed twice.',
  async prepare(folder) {
    await bootSector(
      folder,
      'reset',
      `  mov si,text
  call say
halt: hlt
  jmp halt
text: db 'BOOT.',10,0`,
    );
  },
  async solve({ call, folder }) {
    await call('machine_start', {
      kind: 'qemu',
      options: { drives: [`${folder}/reset.img,floppy`], memory: 16, paused: false },
    });
    await call('console_read', { expect: 'BOOT.' });
    await call('machine_reset');
    return call('console_read', { expect: 'BOOT.' });
  },
  check: async ({ look }) => wants(await look('console_read', { from: 'start' }), /BOOT\.[\s\S]*BOOT\./),
};
