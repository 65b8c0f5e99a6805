import { kernelFault } from '../kernel-fault.ts';

export const task = kernelFault({
  fault: 'deadlock',
  seen: 'The kernel stops answering. Who waits for whom?',
  end: 'hangs',
  looks: [['evaluate', { expression: 'accounts' }]],
  expected:
    /in take[\s\S]*called from .* charge\+[\s\S]*called from .* charge_all\+[\s\S]*taken = 1, owner = .*"charge_all"/,
});
