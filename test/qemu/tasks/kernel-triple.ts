import { kernelTask } from './kernel-task.ts';

export const task = kernelTask({
  fault: 'triple',
  question: 'The machine resets itself without a word. Why is there not even a panic?',
  end: 'resets',
  looks: [['evaluate', { expression: 'idt_pointer' }]],
  expected: /IDT\[3\] lies beyond the end of the IDT[\s\S]*triple fault[\s\S]*\{limit = 0, /,
});
