import { createConnection } from 'node:net';
import type { Channel } from '../wire/channel.ts';
import type { Message } from '../wire/message.ts';

/** Where people reach a console of a machine of this host. */
export type SocketPaths = (
  machine: string,
  console: string,
) => { readonly in: string; readonly out: string; readonly people?: string | undefined } | undefined;

/** On the way to the gateway, and not yet said to have arrived. */
const mostUnderWay = 256 * 1024;

/** A socket of this host whose other end is at the gateway. A reader who is slow is waited for, as the socket itself would. */
export function openTunnel(path: string, channel: Channel) {
  const socket = createConnection({ path });
  let underWay = 0;
  socket.on('data', (bytes) => {
    channel.send({ t: 'data', bytes: bytes.length }, bytes);
    underWay += bytes.length;
    if (underWay >= mostUnderWay) socket.pause();
  });
  socket.on('end', () => channel.send({ t: 'end' }));
  socket.on('error', () => channel.close());
  socket.on('close', () => channel.close());
  return {
    take({ head, body }: Message): void {
      if (head.t === 'data') {
        const bytes = body.length;
        // What is not taken yet keeps the gateway waiting.
        socket.write(body, () => channel.send({ t: 'arrived', bytes }));
      } else if (head.t === 'end') socket.end();
      else if (head.t === 'arrived') {
        underWay -= Number(head.bytes);
        if (underWay < mostUnderWay) socket.resume();
      }
    },
    close: () => void socket.destroy(),
  };
}
