import type { Socket } from 'node:net';
import type { ToolHost } from '../api/tool-host.ts';
import { guestAt } from '../host/loopback-peer.ts';
import { plainAddress } from '../server/host-names.ts';
import type { Refusal } from '../server/http-gate.ts';

const refusal: Refusal = {
  status: 403,
  message: 'Guests of emulators may not use a server that asks for no token (--no-token).',
  headers: { connection: 'close' },
};

/** Without a token every program of this computer owns the server; the guests of its emulators are none. */
export async function refusalOfGuest(socket: Socket, host: Pick<ToolHost, 'audit'>): Promise<Refusal | undefined> {
  const { localPort = 0, remotePort = 0 } = socket;
  const remoteAddress = plainAddress(socket.remoteAddress ?? '');
  const localAddress = plainAddress(socket.localAddress ?? '');
  const guest = await guestAt({ localPort, remotePort, localAddress, remoteAddress });
  if (guest === undefined) return undefined;
  host.audit({ address: remoteAddress }, { tool: 'http', outcome: 'denied', why: guest });
  return refusal;
}
