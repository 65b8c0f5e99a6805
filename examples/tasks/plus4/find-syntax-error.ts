import { findSyntaxError, plus4 } from '../commodore.ts';
import type { Task } from '../task.ts';

export const task: Task = findSyntaxError(plus4);
