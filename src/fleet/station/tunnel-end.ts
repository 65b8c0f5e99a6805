import { createConnection } from 'node:net';
import type { Channel } from '../wire/channel.ts';
import { tunnelOf } from '../wire/socket-tunnel.ts';

/** Where people reach a console of a machine of this host. */
export type SocketPaths = (
  machine: string,
  console: string,
) => { readonly in: string; readonly out: string; readonly people?: string | undefined } | undefined;

/** A socket of this host whose other end is at the gateway. A reader who is slow is waited for, as the socket itself would. */
export function openTunnel(path: string, channel: Channel) {
  const socket = createConnection({ path });
  const take = tunnelOf(socket, (head, body) => channel.send(head, body));
  socket.on('error', () => channel.close());
  socket.on('close', () => channel.close());
  return { take, close: () => void socket.destroy() };
}
