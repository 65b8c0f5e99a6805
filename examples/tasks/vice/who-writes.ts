import { vice, whoWrites } from '../commodore.ts';
import type { Task } from '../task.ts';

export const task: Task = whoWrites(vice, 0xd020);
