import { setTimeout } from 'node:timers/promises';
import type { Cause } from './cause.ts';

/** Lets time pass for a moment, `until` that of the process at most. Undefined when nothing has ended the run yet. */
export type Slice = (until: number) => Cause | undefined;

/** How long a machine may keep the process to itself. */
export const sliceMs = 2;

/** After a sleep of the computer nobody wants the machine to hurry. */
const mostBehindMs = 200;

/**
 * Runs frame after frame until something stops the machine or the signal comes: in step with real time, or with others
 * having a turn only. `newFrame` gives what runs a frame and ends with a cause of `limit`; `nextSlice` waits for the time
 * of the next slice.
 */
export async function runFrames(
  newFrame: () => Slice,
  nextSlice: () => Promise<void>,
  frameMs: number,
  pace: 'real' | 'warp',
  signal: AbortSignal,
): Promise<Cause> {
  let due = performance.now();
  while (!signal.aborted) {
    const cause = await runFrame(newFrame(), nextSlice, signal);
    if (cause) return cause;
    due += frameMs;
    const now = performance.now();
    if (now - due > mostBehindMs) due = now;
    if (pace === 'real' && due > now) await setTimeout(due - now);
    await nextSlice();
  }
  return { cause: 'halt', reason: 'pause' };
}

async function runFrame(slice: Slice, nextSlice: () => Promise<void>, signal: AbortSignal): Promise<Cause | undefined> {
  while (!signal.aborted) {
    const cause = slice(performance.now() + sliceMs);
    if (cause) return cause.cause === 'limit' ? undefined : cause;
    await nextSlice();
  }
  return undefined;
}
