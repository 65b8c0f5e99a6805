import { kernelTask } from './kernel-task.ts';

export const task = kernelTask({
  fault: 'deadlock',
  question: 'The kernel stops answering. Who waits for whom?',
  end: 'hangs',
  looks: [['evaluate', { expression: 'accounts' }]],
  expected:
    /in take[\s\S]*called from .* charge\+[\s\S]*called from .* charge_all\+[\s\S]*taken = 1, owner = .*"charge_all"/,
});
