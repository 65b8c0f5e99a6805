import { joystick, plus4 } from '../commodore.ts';
import type { Task } from '../task.ts';

export const task: Task = joystick(
  plus4,
  1,
  ' lda #$fa\nwait sta $ff08\n lda $ff08\n and #$40\n bne again\n jmp there\nagain lda #$fa\n jmp wait\nthere',
);
