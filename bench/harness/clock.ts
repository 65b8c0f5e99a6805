import { setTimeout as delay } from 'node:timers/promises';

/** One clock for all processes of this computer, in milliseconds. */
export function clockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export async function timedMs(action: () => Promise<unknown>): Promise<number> {
  const began = clockMs();
  await action();
  return clockMs() - began;
}

/** Fails with what was waited for, so that a bench never hangs. */
export async function within<T>(timeoutMs: number, what: string, promise: Promise<T>): Promise<T> {
  const patience = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: patience.signal }).then(
    () => Promise.reject(new Error(`${what}: nothing within ${timeoutMs} ms`)),
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    patience.abort();
  }
}
