import { kernelFault } from '../kernel-fault.ts';

export const task = kernelFault({
  fault: 'triple',
  seen: 'The machine resets itself without a word. Why is there not even a panic?',
  end: 'resets',
  looks: [['evaluate', { expression: 'idt_pointer' }]],
  expected: /IDT\[3\] lies beyond the end of the IDT[\s\S]*triple fault[\s\S]*\{limit = 0, /,
});
