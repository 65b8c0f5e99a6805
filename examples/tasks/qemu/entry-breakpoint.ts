import { bootSector } from '../boot-sector.ts';
import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'Stop the boot sector of entry-breakpoint.img under QEMU at its first instruction, 0x7c00, and show the registers.',
  async prepare(folder) {
    await bootSector(
      folder,
      'entry-breakpoint',
      `  mov si,text
  call say
halt: hlt
  jmp halt
text: db 'LATE',10,0`,
    );
  },
  async solve({ call, folder }) {
    await call('machine_start', {
      kind: 'qemu',
      options: { drives: [`${folder}/entry-breakpoint.img,floppy`], memory: 16, paused: true },
    });
    await call('breakpoint_set', { address: '0x7c00', type: 'hardware' });
    return call('run', { show: 'state' });
  },
  check: async ({ answer, look }) =>
    wants(answer, /7c00/i) ?? (/LATE/.test(await look('console_read', { from: 'start' })) ? 'it ran on' : undefined),
};
