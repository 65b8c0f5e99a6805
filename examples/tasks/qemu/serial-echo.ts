import { bootSector } from '../boot-sector.ts';
import { type Task, wants } from '../task.ts';

export const task: Task = {
  prompt:
    'The boot sector of serial-echo.img answers each byte on the serial port with the next letter. Send A under QEMU and tell me the answer.',
  async prepare(folder) {
    await bootSector(
      folder,
      'serial-echo',
      `  mov si,text
  call say
echo: mov dx,3fdh
  in al,dx
  test al,1
  jz echo
  mov dx,3f8h
  in al,dx
  inc al
  out dx,al
  jmp echo
text: db 'READY',10,0`,
    );
  },
  async solve({ call, folder }) {
    await call('machine_start', {
      kind: 'qemu',
      options: { drives: [`${folder}/serial-echo.img,floppy`], memory: 16, paused: false },
    });
    await call('console_read', { expect: 'READY' });
    return call('console_send', { text: 'A', eol: 'none', expect: 'B' });
  },
  check: ({ answer }) => wants(answer, /matched .*B/),
};
