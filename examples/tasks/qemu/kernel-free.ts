import { kernelFault } from '../kernel-fault.ts';

export const task = kernelFault({
  fault: 'free',
  seen: 'Closing a session panics. What is it that is used there?',
  end: 'panics',
  looks: [['evaluate', { expression: '*(struct session *)heap' }]],
  expected: /memory that is not valid any more: bytes 0x6b.*in use_after_free[\s\S]*operations = 0x6b6b6b6b6b6b6b6b/,
});
