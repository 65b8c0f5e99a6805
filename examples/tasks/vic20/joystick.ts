import { joystick, vic20 } from '../commodore.ts';
import type { Task } from '../task.ts';

export const task: Task = joystick(vic20, 1, ' lda #0\n sta $9113\nwait lda $9111\n and #$20\n bne wait');
