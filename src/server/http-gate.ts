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

export interface HttpGate {
  /** Who may talk to us at all: checked before anything of a request is read. Answers refusals itself. */
  admits(req: IncomingMessage, res: ServerResponse): boolean;
  /** Whether the request carries the token: as a bearer, or for the page in its address. */
  authorises(req: IncomingMessage, where: 'header' | 'address'): boolean;
}

export function httpGate(options: GateOptions): HttpGate {
  const clients = new AddressList(options.allowedClients);
  const rate = new RateLimit(options.maxRate);
  const hostOk = hostHeaderValidation([...localhostAllowedHostnames(), ...options.allowedHosts]);
  const originOk = originValidation([...localhostAllowedHostnames(), ...options.allowedOrigins]);
  return {
    admits(req, res) {
      const address = req.socket.remoteAddress;
      if (!clients.allows(address)) return refuse(res, 403, `Client ${address} is not allowed (--allowed-clients).`);
      if (!hostOk(req, res) || !originOk(req, res)) return false;
      if (rate.allows(address ?? '')) return true;
      res.setHeader('retry-after', '1');
      return refuse(res, 429, `More than ${options.maxRate} requests a second (--max-rate).`);
    },
    authorises(req, where) {
      if (options.token === undefined) return true;
      return sameSecret(where === 'header' ? bearer(req) : tokenInAddress(req), options.token);
    },
  };
}

export function refuseUnauthorised(res: ServerResponse): false {
  res.setHeader('www-authenticate', 'Bearer');
  return refuse(res, 401, 'A bearer token is needed: Authorization: Bearer TOKEN, as printed at the start.');
}

export function refuse(res: ServerResponse, status: number, message: string): false {
  const body = { jsonrpc: '2.0', error: { code: -32000, message }, id: null };
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  return false;
}

function bearer(req: IncomingMessage): string {
  const [scheme, token = ''] = (req.headers.authorization ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' ? token : '';
}

function tokenInAddress(req: IncomingMessage): string {
  return new URL(req.url ?? '/', 'http://localhost').searchParams.get('token') ?? '';
}

function sameSecret(given: string, wanted: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(wanted);
  return a.length === b.length && timingSafeEqual(a, b);
}
