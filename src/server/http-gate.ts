import type { IncomingMessage, ServerResponse } from 'node:http';
import { AddressList } from './address-list.ts';
import type { HttpClient } from './caller-of.ts';
import { HostNames, plainAddress } from './host-names.ts';
import { Origins } from './origins.ts';
import { RateLimit } from './rate-limit.ts';
import { type KnownToken, TokenList } from './token-list.ts';

export interface GateOptions {
  /** None: nobody needs one. */
  readonly tokens: readonly KnownToken[];
  readonly allowedClients: readonly string[];
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly maxRate: number;
}

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Decides who may talk to us, before anything but the head of a request is read. Whatever is in it, this answers. */
export class HttpGate {
  readonly #clients: AddressList;
  readonly #rate: RateLimit;
  readonly #maxRate: number;
  readonly #hosts: HostNames;
  readonly #tokens: TokenList;
  readonly origins: Origins;

  constructor(options: GateOptions) {
    this.#clients = new AddressList(options.allowedClients);
    this.#rate = new RateLimit(options.maxRate);
    this.#maxRate = options.maxRate;
    this.#hosts = new HostNames(options.allowedHosts);
    this.#tokens = new TokenList(options.tokens);
    this.origins = new Origins(options.allowedOrigins);
  }

  /** Why a request is turned away, whoever sent it. */
  refusal(req: IncomingMessage, what: 'request' | 'socket'): Refusal | undefined {
    const address = req.socket.remoteAddress;
    if (!this.#clients.allows(address)) {
      return { status: 403, message: `Client ${address} is not allowed (--allowed-clients).` };
    }
    if (!this.#hosts.admits(req)) {
      return { status: 403, message: `Invalid Host: ${shown(req.headers.host)} is not ours (--allowed-hosts).` };
    }
    const isFromOurs = what === 'request' ? this.origins.admits(req) : this.origins.admitsSocket(req);
    if (!isFromOurs) {
      return {
        status: 403,
        message: `Invalid Origin: ${shown(req.headers.origin)} is not allowed (--allowed-origins).`,
      };
    }
    if (this.#rate.allows(address ?? '')) return undefined;
    const message = `More than ${this.#maxRate} requests a second (--max-rate).`;
    return { status: 429, message, headers: { 'retry-after': '1' } };
  }

  /** Whom the token belongs to; undefined: to nobody. */
  clientWith(token: string | undefined, req: IncomingMessage): HttpClient | undefined {
    const bearer = this.#tokens.bearerOf(token);
    const { remoteAddress } = req.socket;
    return bearer && { ...bearer, address: remoteAddress === undefined ? undefined : plainAddress(remoteAddress) };
  }
}

export const unauthorised: Refusal = {
  status: 401,
  message:
    'A bearer token is needed (Authorization: Bearer TOKEN): the one printed at the start, or one from the operator.',
  headers: { 'www-authenticate': 'Bearer' },
};

export function bearerToken({ headers }: IncomingMessage): string | undefined {
  const [scheme, token] = (headers.authorization ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' ? token : undefined;
}

export const refusalHeaders = {
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

export function refuse(res: ServerResponse, { status, message, headers }: Refusal): void {
  res.writeHead(status, { ...refusalHeaders, ...headers }).end(refusalBody(message));
}

export function refusalBody(message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null });
}

function shown(header: string | undefined): string {
  return header === undefined ? 'none' : JSON.stringify(header.slice(0, 100));
}
