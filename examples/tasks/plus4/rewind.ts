import { plus4, rewind } from '../commodore.ts';
import type { Task } from '../task.ts';

export const task: Task = rewind(plus4);
