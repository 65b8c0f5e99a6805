import { undo, vic20 } from '../commodore.ts';
import type { Task } from '../task.ts';

export const task: Task = undo(vic20);
