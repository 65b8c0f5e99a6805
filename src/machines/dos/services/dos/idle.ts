import type { ServiceOutcome } from '../guest.ts';
import type { Dos } from './dos.ts';

const idleVector = 0x28;

/**
 * While DOS waits for a key it calls INT 28h, so that resident programs may work. Only where one has hooked it: else
 * the processor halts until the next interrupt. Every second time it halts too, to let time pass.
 */
export function callIdle(dos: Dos): ServiceOutcome {
  dos.idleCalled = !dos.idleCalled;
  dos.console.forgetStatus();
  dos.drivers.commit();
  if (!dos.idleCalled || dos.processes.vector(idleVector) === dos.ownVectors.get(idleVector)) return 'wait';
  dos.calls.later({ interrupt: idleVector, registers: {}, back: 'afterCall' });
  return 'call';
}
