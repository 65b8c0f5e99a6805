import { kernelFault } from '../kernel-fault.ts';

export const task = kernelFault({
  fault: 'division',
  seen: 'The kernel panics while it computes an average. Why?',
  end: 'panics',
  looks: [['evaluate', { expression: 'sample_count' }]],
  expected: /divided by zero.*in average[\s\S]*\(u32\) at 0x[0-9a-f]+ 0$/,
});
