import { bytesFree, plus4 } from '../commodore.ts';
import type { Task } from '../task.ts';

const xplus4 = { ...plus4, kind: 'vice', options: { program: 'xplus4' }, name: 'a Plus/4 in VICE (kind vice, xplus4)' };
export const task: Task = bytesFree(xplus4, 28_671);
