import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostHeaderValidation, originValidation } from '@modelcontextprotocol/node';
import { localhostAllowedHostnames } from '@modelcontextprotocol/server';
import { AddressList } from './address-list.ts';
import { RateLimit } from './rate-limit.ts';

export interface GateOptions {
  readonly token: string | undefined;
  readonly allowedClients: readonly string[];
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly maxRate: number;
}

/** Who may talk to us at all: checked before anything of a request is read. Answers refusals itself. */
export function httpGate(options: GateOptions): (req: IncomingMessage, res: ServerResponse) => boolean {
  const clients = new AddressList(options.allowedClients);
  const rate = new RateLimit(options.maxRate);
  const hostOk = hostHeaderValidation([...localhostAllowedHostnames(), ...options.allowedHosts]);
  const originOk = originValidation([...localhostAllowedHostnames(), ...options.allowedOrigins]);
  return (req, res) => {
    const address = req.socket.remoteAddress;
    if (!clients.allows(address)) return refuse(res, 403, `Client ${address} is not allowed (--allowed-clients).`);
    if (!hostOk(req, res) || !originOk(req, res)) return false;
    if (!rate.allows(address ?? '')) {
      res.setHeader('retry-after', '1');
      return refuse(res, 429, `More than ${options.maxRate} requests a second (--max-rate).`);
    }
    if (options.token !== undefined && !carries(req, options.token)) {
      res.setHeader('www-authenticate', 'Bearer');
      return refuse(res, 401, 'A bearer token is needed: Authorization: Bearer TOKEN, as printed at the start.');
    }
    return true;
  };
}

export function refuse(res: ServerResponse, status: number, message: string): false {
  const body = { jsonrpc: '2.0', error: { code: -32000, message }, id: null };
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  return false;
}

function carries(req: IncomingMessage, token: string): boolean {
  const [scheme, given = ''] = (req.headers.authorization ?? '').split(' ');
  const a = Buffer.from(given);
  const b = Buffer.from(token);
  return scheme?.toLowerCase() === 'bearer' && a.length === b.length && timingSafeEqual(a, b);
}
