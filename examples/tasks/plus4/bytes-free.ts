import { bytesFree, plus4 } from '../commodore.ts';
import type { Task } from '../task.ts';

export const task: Task = bytesFree(plus4, 28_671);
