import { plus4, undo } from '../commodore.ts';
import type { Task } from '../task.ts';

export const task: Task = undo(plus4);
