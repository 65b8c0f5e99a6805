import { connect, type Socket } from 'node:net';

/** One try. What fails later is told by `close`. */
export function connectTcp(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const abort = () => socket.destroy(new Error('the start was cancelled'));
    const settle = () => signal.removeEventListener('abort', abort);
    socket.setNoDelay(true);
    // Stays: an error that nobody hears would end the process.
    socket.on('error', reject);
    socket.once('close', () => {
      settle();
      reject(new Error('the connection was closed'));
    });
    socket.once('connect', () => {
      settle();
      resolve(socket);
    });
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
