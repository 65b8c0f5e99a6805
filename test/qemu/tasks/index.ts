import { task as deadlock } from './kernel-deadlock.ts';
import { task as division } from './kernel-division.ts';
import { task as free } from './kernel-free.ts';
import { task as gate } from './kernel-gate.ts';
import { task as nullPointer } from './kernel-null.ts';
import { task as stack } from './kernel-stack.ts';
import { task as triple } from './kernel-triple.ts';
import { task as user } from './kernel-user.ts';

export const kernelTasks = [nullPointer, stack, gate, user, division, triple, deadlock, free];
