import { countCycles, vic20 } from '../commodore.ts';
import type { Task } from '../task.ts';

export const task: Task = countCycles(vic20);
