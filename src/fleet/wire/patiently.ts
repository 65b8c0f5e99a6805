import { setTimeout } from 'node:timers/promises';
import { MachineError } from '../../machine/errors.ts';
import { isFull, isOfServer, storeIsFull, whyOfServer } from './server-faults.ts';

/** How long a server that has gone away is waited for. */
const patienceMs = 20_000;
const pauseMs = 250;

/** What the server has does not tell it yet. */
export class NotYet extends Error {}

/**
 * Does it again until the server has done it: it may restart, and a stream that another has just asked for is known before it takes
 * messages. `failed` says what could not be done.
 */
export async function patiently<T>(failed: string, task: () => Promise<T>): Promise<T> {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (error instanceof MachineError) throw error;
      if (isFull(error)) throw storeIsFull(error);
      if (!(error instanceof NotYet) && !isOfServer(error)) throw error;
      if (performance.now() < end) {
        await setTimeout(pauseMs);
        continue;
      }
      const fix = 'Try again; the operator looks after the NATS server.';
      const why = error instanceof NotYet ? error.message : whyOfServer(error);
      throw new MachineError('UNAVAILABLE', `${failed}: ${why}.`, fix, {}, { cause: error });
    }
  }
}
