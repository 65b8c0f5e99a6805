import { kernelTask } from './kernel-task.ts';

export const task = kernelTask({
  fault: 'stack',
  question: 'The machine resets itself at once. What happens?',
  end: 'resets',
  looks: [['evaluate', { expression: 'depth' }]],
  expected: /stack overflow.*in depth_of[\s\S]*depth_of.*it calls itself[\s\S]*\(u64\)/,
});
