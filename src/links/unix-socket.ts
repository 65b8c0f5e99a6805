import { connect, type OnReadOpts, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

export interface ConnectOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Takes what comes instead of the socket's `data`, and at once: the bytes are others after it returns. */
  readonly receive?: ((bytes: Uint8Array) => void) | undefined;
}

const retryMs = 5;
const receiveBytes = 64 * 1024;

/** Connects to a unix socket that a process just started may still be about to create: tries until the time is up. */
export async function connectUnixSocket(path: string, options: ConnectOptions): Promise<Socket> {
  const { timeoutMs, signal, receive } = options;
  const end = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt(path, { timeoutMs: Math.max(1, end - performance.now()), signal, receive });
    } catch (error) {
      if (!isNotYet(error) || performance.now() + retryMs >= end) throw error;
      await setTimeout(retryMs, undefined, { signal });
    }
  }
}

function attempt(path: string, { timeoutMs, signal, receive }: ConnectOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path, noDelay: true, ...(receive && { onread: intoOneBuffer(receive) }) });
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

function intoOneBuffer(receive: (bytes: Uint8Array) => void): OnReadOpts {
  return {
    buffer: new Uint8Array(receiveBytes),
    callback: (count, buffer) => {
      receive(buffer.subarray(0, count));
      return true;
    },
  };
}

/** The file is not there yet, nobody listens yet, or the queue of waiting clients is full. */
function isNotYet(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'EAGAIN';
}
