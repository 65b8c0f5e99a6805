import type { Socket } from 'node:net';
import type { Message } from './message.ts';

/** Bytes that may be on their way in one direction. */
const mostUnderWay = 256 * 1024;

/** Leads what a socket says into a channel and what comes from there to the socket; who is slow keeps the other side waiting. */
export function tunnelOf(socket: Socket, send: (head: Record<string, unknown>, body?: Uint8Array) => void) {
  let underWay = 0;
  socket.on('data', (bytes) => {
    send({ t: 'data' }, bytes);
    underWay += bytes.length;
    if (underWay >= mostUnderWay) socket.pause();
  });
  socket.on('end', () => send({ t: 'end' }));
  return ({ head, body }: Message): void => {
    if (head.t === 'data') {
      const bytes = body.length;
      socket.write(body, () => send({ t: 'arrived', bytes }));
    } else if (head.t === 'end') socket.end();
    else if (head.t === 'arrived') {
      underWay -= Number(head.bytes);
      if (underWay < mostUnderWay) socket.resume();
    }
  };
}
