import type { Socket } from 'node:net';
import type { ToolHost } from '../api/tool-host.ts';
import { isGuestAt } from '../host/loopback-peer.ts';
import { plainAddress } from '../server/host-names.ts';
import type { Refusal } from '../server/http-gate.ts';

const refusal: Refusal = {
  status: 403,
  message: 'Guests of emulators may not use a server that asks for no token (--no-token).',
  headers: { connection: 'close' },
};

/** Without a token every program of this computer owns the server; the guests of its emulators are none. */
export async function guestAt(socket: Socket, host: Pick<ToolHost, 'audit'>): Promise<Refusal | undefined> {
  const { localPort = 0, remotePort = 0, remoteAddress = '' } = socket;
  const address = plainAddress(remoteAddress);
  if (!(await isGuestAt({ localPort, remotePort, isIPv6: address.includes(':') }))) return undefined;
  host.audit({ address }, { tool: 'http', outcome: 'denied', why: 'a guest of an emulator' });
  return refusal;
}
