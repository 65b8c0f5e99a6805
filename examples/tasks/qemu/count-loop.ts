import { bootSector } from '../boot-sector.ts';
import type { Task } from '../task.ts';

export const task: Task = {
  prompt:
    'Boot count-loop.img under QEMU; it counts up the word at 0x700 forever. Show with two readings that it moves.',
  async prepare(folder) {
    await bootSector(
      folder,
      'count-loop',
      `  mov word [700h],0
  mov si,text
  call say
up: inc word [700h]
  jmp up
text: db 'GO',10,0`,
    );
  },
  async solve({ call, folder }) {
    await call('machine_start', {
      kind: 'qemu',
      options: { drives: [`${folder}/count-loop.img,floppy`], memory: 16, paused: false },
    });
    await call('console_read', { expect: 'GO' });
    const one = await call('memory_read', { address: '0x700', length: 2 });
    await call('run', { timeout_ms: 200 });
    return `${one} then ${await call('memory_read', { address: '0x700', length: 2 })}`;
  },
  check: ({ answer }) =>
    new Set(answer.match(/[0-9a-f]{2} [0-9a-f]{2}(?= )/gi)).size < 2 ? `it did not move: ${answer}` : undefined,
};
