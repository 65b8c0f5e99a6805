import { bytesFree, plus4 } from '../commodore.ts';
import type { Task } from '../task.ts';

export const task: Task = bytesFree({ ...plus4, kind: 'c16', name: 'a C16' }, 12_287);
