import { bytesFree, vic20 } from '../commodore.ts';
import type { Task } from '../task.ts';

const xvic = { ...vic20, kind: 'vice', options: { program: 'xvic' }, name: 'a VIC-20 in VICE (kind vice, xvic)' };
export const task: Task = bytesFree(xvic, 3_583);
