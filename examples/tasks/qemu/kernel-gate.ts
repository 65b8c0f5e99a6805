import { kernelFault } from '../kernel-fault.ts';

export const task = kernelFault({
  fault: 'gate',
  seen: 'The first interrupt ends in a panic. What is wrong with the set-up?',
  end: 'panics',
  looks: [['evaluate', { expression: 'idt[0x20]' }]],
  expected: /IDT\[32\] names selector 0x40, beyond the end of the GDT[\s\S]*selector = 64/,
});
