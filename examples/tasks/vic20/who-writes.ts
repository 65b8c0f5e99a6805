import { vic20, whoWrites } from '../commodore.ts';
import type { Task } from '../task.ts';

export const task: Task = whoWrites(vic20, 0x900f);
