import { kernelFault } from '../kernel-fault.ts';

export const task = kernelFault({
  fault: 'null',
  seen: 'The kernel prints PANIC soon after it has started. Which pointer is wrong, and why?',
  end: 'panics',
  looks: [['source_read', { address: 'null_pointer', lines: 4 }]],
  expected: /read a null pointer with offset 16 .*in null_pointer[\s\S]*found = find_task\(7\)/,
});
