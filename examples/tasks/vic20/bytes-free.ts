import { bytesFree, vic20 } from '../commodore.ts';
import type { Task } from '../task.ts';

export const task: Task = bytesFree(vic20, 3_583);
