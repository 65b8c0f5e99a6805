import { setImmediate } from 'node:timers/promises';

/** Called now and then in long work: lets others have their turn when it is time. */
export type Pause = () => Promise<void>;

const sliceMs = 3;

export function pauses(): Pause {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMs) return;
    await setImmediate();
    began = performance.now();
  };
}
