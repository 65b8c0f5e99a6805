/**
 * Calls that a device can hold up for as long as it likes: opening one whose driver hangs, waiting for a line that is
 * held. Each keeps a thread of the pool that also does all work on files, so only this many may be under way.
 */
const atOnce = 2;
const maxWaitMs = 10_000;

let underWay = 0;
const waiting: (() => void)[] = [];

/** Runs the call when it is its turn; rejects if that does not come soon. The call itself is never cut short. */
export async function slowCall<T>(what: string, call: () => Promise<T>, waitMs = maxWaitMs): Promise<T> {
  if (underWay >= atOnce) await turn(what, waitMs);
  underWay++;
  try {
    return await call();
  } finally {
    underWay--;
    waiting.shift()?.();
  }
}

function turn(what: string, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const admit = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(admit), 1);
      reject(new Error(`${what} has to wait: ${atOnce} other devices do not answer`));
    }, waitMs);
    waiting.push(admit);
  });
}
