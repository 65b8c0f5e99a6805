import { setTimeout } from 'node:timers/promises';
import type { ControlCapability } from '../../machine/control.ts';
import type { RackedMachine } from '../../rack/racked-machine.ts';

const framesAtOnce = 2;
const wallMs = 2000;
/** Behind by more than this, as after a sleep of the computer: do not hurry to catch up. */
const mostBehindMs = 200;

/**
 * Lets a machine run that is stopped between calls, in step with real time, because a person wants to use it. Ends
 * when they pause it or leave, when something stops it, and when an agent's call has changed it.
 */
export async function personRun(
  { queue, gone }: RackedMachine,
  control: ControlCapability,
  ended: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([ended, gone]);
  const { framesPerSecond } = control;
  if (framesPerSecond === undefined) return;
  let due = performance.now();
  let turns = queue.turns;
  while (!signal.aborted) {
    const goesOn = await queue.run('a person at the live page', signal, async () => {
      turns++;
      if (signal.aborted || queue.turns !== turns) return false;
      const stop = await control.run({ frames: framesAtOnce, wallMs }, signal);
      return stop.cause === 'limit';
    });
    if (!goesOn) return;
    due += (framesAtOnce * 1000) / framesPerSecond;
    const aheadMs = due - performance.now();
    if (aheadMs < -mostBehindMs) due = performance.now();
    await setTimeout(Math.max(0, aheadMs));
  }
}
