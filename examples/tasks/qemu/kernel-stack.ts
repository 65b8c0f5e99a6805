import { kernelFault } from '../kernel-fault.ts';

export const task = kernelFault({
  fault: 'stack',
  seen: 'The machine resets itself at once. What happens?',
  end: 'resets',
  looks: [['evaluate', { expression: 'depth' }]],
  expected: /stack overflow.*in depth_of[\s\S]*depth_of.*it calls itself[\s\S]*\(u64\)/,
});
