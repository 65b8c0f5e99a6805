import type { Duplex } from 'node:stream';
import { type Refusal, refusalBody, refusalHeaders } from './http-gate.ts';

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
};
const lingerMs = 2000;

/**
 * Answers a refused upgrade and closes the connection. Node gives such a socket away: nobody else ends it, and a peer
 * that never closes its half would hold it for ever.
 */
export function refuseSocket(socket: Duplex, { status, message, headers }: Refusal): void {
  const body = refusalBody(message);
  const head = {
    ...refusalHeaders,
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
  // What was sent after the request is read and dropped: closing before that would take the answer away from the client.
  socket.once('end', () => socket.destroy());
  socket.resume();
  socket.end(`HTTP/1.1 ${status} ${reasons[status] ?? 'Refused'}\r\n${lines.join('')}\r\n${body}`);
}
