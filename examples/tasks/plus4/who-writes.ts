import { plus4, whoWrites } from '../commodore.ts';
import type { Task } from '../task.ts';

export const task: Task = whoWrites(plus4, 0xff19);
