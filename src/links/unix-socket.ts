import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

export interface ConnectOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const retryMs = 5;

/** Connects to a unix socket that a process just started may still be about to create: tries until the time is up. */
export async function connectUnixSocket(path: string, { timeoutMs, signal }: ConnectOptions): Promise<Socket> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt(path, Math.max(1, end - performance.now()), signal);
    } catch (error) {
      if (!isNotYet(error) || performance.now() + retryMs >= end) throw error;
      await setTimeout(retryMs, undefined, { signal });
    }
  }
}

function attempt(path: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path, noDelay: true });
    const settle = (error?: unknown) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      socket.off('error', settle);
      if (error === undefined) return resolve(socket);
      socket.on('error', () => {});
      socket.destroy();
      reject(error);
    };
    const cancel = () => settle(signal?.reason ?? new Error('cancelled'));
    const timer = globalThis.setTimeout(() => settle(new Error(`${path} did not accept within the time`)), timeoutMs);
    signal?.addEventListener('abort', cancel, { once: true });
    socket.once('error', settle);
    socket.once('connect', () => settle());
  });
}

/** The file is not there yet, nobody listens yet, or the queue of waiting clients is full. */
function isNotYet(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'EAGAIN';
}
