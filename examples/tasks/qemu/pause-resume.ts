import { bootSector } from '../boot-sector.ts';
import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt: 'Boot pause-resume.img under QEMU; it prints dots without end. Pause it and show that nothing more comes.',
  async prepare(folder) {
    await bootSector(
      folder,
      'pause-resume',
      `dot: mov si,text
  call say
  mov cx,0ffffh
slow: loop slow
  jmp dot
text: db '.',0`,
    );
  },
  async solve({ call, folder }) {
    await call('machine_start', {
      kind: 'qemu',
      options: { drives: [`${folder}/pause-resume.img,floppy`], memory: 16, paused: false },
    });
    await call('console_read', { expect: '...' });
    await call('pause');
    await call('console_read');
    return call('console_read', { quiet_ms: 400, timeout_ms: 1500 });
  },
  check: async ({ answer, look }) => wants(answer, /quiet/) ?? wants(await look('machine_list'), /PAUSED/),
};
