import { kernelFault } from '../kernel-fault.ts';

export const task = kernelFault({
  fault: 'user',
  seen: 'The first program does not live long. What does it do that it may not?',
  end: 'panics',
  looks: [['pages_read', { address: '0x300000' }]],
  expected: /user code read 0x300000, a page of the kernel, at kernel\.c:\d+, in program[\s\S]*kernel rwx/,
});
