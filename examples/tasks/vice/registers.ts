import { setRegisters, vice } from '../commodore.ts';
import type { Task } from '../task.ts';

export const task: Task = setRegisters(vice);
