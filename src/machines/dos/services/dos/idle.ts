import type { Guest, ServiceOutcome } from '../guest.ts';
import type { Dos } from './dos.ts';
import { packFar, unpackFar } from './far-pointer.ts';
import { callHandler } from './frames.ts';

const idleVector = 0x28;

/**
 * While DOS waits for a key it calls INT 28h, so that resident programs may work. Only where one has hooked it: else
 * the processor halts until the next interrupt. Every second time it halts too, to let time pass. `from` is the entry
 * that runs again then.
 */
export function callIdle(dos: Dos, guest: Guest, from: string): ServiceOutcome {
  const own = dos.entry('int28');
  const vector = dos.processes.vector(idleVector);
  dos.idleCalled = !dos.idleCalled;
  if (vector === packFar(own) || !dos.idleCalled) return 'wait';
  callHandler(guest, unpackFar(vector), dos.entry(from));
  return 'done';
}
