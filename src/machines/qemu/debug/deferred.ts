/** A promise that is settled from outside. */
export class Deferred<T> {
  resolve: (value: T) => void = () => {};
  readonly promise = new Promise<T>((resolve) => {
    this.resolve = resolve;
  });
}

/** What the promise yields, or undefined when the time is up or the signal comes first. */
export function within<T>(promise: Promise<T>, timeoutMs: number, signal?: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    };
    const giveUp = () => {
      settle();
      resolve(undefined);
    };
    const timer = setTimeout(giveUp, timeoutMs);
    if (signal?.aborted) return giveUp();
    signal?.addEventListener('abort', giveUp, { once: true });
    promise.then(
      (value) => {
        settle();
        resolve(value);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
  });
}
