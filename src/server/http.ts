import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Audit } from '../rack/audit.ts';
import { authInfoFor, type HttpClient } from './caller-of.ts';
import { DeniedTokens } from './denied-tokens.ts';
import { bearerToken, type GateOptions, HttpGate, refuse, unauthorised } from './http-gate.ts';
import type { SessionLimits } from './legacy-sessions.ts';
import { type ListenOptions, listen, type TlsFiles } from './listening-server.ts';
import type { Lifetime } from './lifetime.ts';
import { McpEndpoint } from './mcp-endpoint.ts';
import type { ServerIdentity } from './mcp-server.ts';
import { readBody } from './read-body.ts';
import { refuseSocket } from './refuse-socket.ts';
import { targetOf } from './request-target.ts';
import { sendResponse } from './send-response.ts';
import type { Surface } from './surface.ts';

export interface HttpOptions extends GateOptions, ServerIdentity, ListenOptions, SessionLimits {
  readonly maxStreams: number;
  readonly maxBodyBytes: number;
  readonly audit: Audit;
  readonly page?: LivePage;
}

/** What a person sees at the same address; knows nothing of MCP. */
export interface LivePage {
  /** Answers a request for one of its files; false if it has none there. */
  handle(path: string, req: IncomingMessage, res: ServerResponse): boolean;
  /** The token that an upgrade carries. */
  tokenOf(req: IncomingMessage): string | undefined;
  /** Takes the socket over, or says why not. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer, client: HttpClient): string | undefined;
  close(): void;
}

export interface HttpEndpoint {
  readonly url: string;
  /** For connections from now on. */
  renewTls(files: TlsFiles): void;
  close(): Promise<void>;
}

const most = { requestsAtOnce: 512 };
const methods = ['GET', 'POST', 'DELETE'];

/** MCP over Streamable HTTP at `/mcp`, every protocol version at the same address, any number of clients; and the page. */
export async function serveHttp(surface: Surface, options: HttpOptions): Promise<HttpEndpoint> {
  const { log, page } = options;
  const mcp = new McpEndpoint(surface, options);
  const gate = new HttpGate(options);
  const denied = new DeniedTokens(options.audit);
  let atOnce = 0;

  function request(req: IncomingMessage, res: ServerResponse, lifetime: Lifetime): void {
    atOnce++;
    lifetime.onOver(() => atOnce--);
    for (const [name, value] of Object.entries(gate.origins.grants(req))) res.setHeader(name, value);
    const refusal = gate.refusal(req, 'request');
    if (refusal) return refuse(res, refusal);
    if (atOnce > most.requestsAtOnce) {
      return refuse(res, { status: 503, message: `${most.requestsAtOnce} requests are under way, which is the limit.` });
    }
    const target = targetOf(req);
    if (!target) return refuse(res, { status: 400, message: 'The target of the request is no path.' });
    const preflight = gate.origins.preflight(req);
    if (preflight) return void res.writeHead(204, preflight).end();
    if (target.path === '/mcp') return void call(req, res, lifetime);
    if (target.path === '/session') return void tellWho(req, res);
    if (!page?.handle(target.path, req, res)) refuse(res, { status: 404, message: 'MCP is served at /mcp.' });
  }

  /** For the page, which has to know whether its token is one before it opens a socket. */
  function tellWho(req: IncomingMessage, res: ServerResponse): void {
    const client = clientOf(req, bearerToken(req));
    if (!client) return refuse(res, unauthorised);
    const { name, role } = client;
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
    res.writeHead(200, headers).end(JSON.stringify({ ...(name !== undefined && { name }), role }));
  }

  async function call(req: IncomingMessage, res: ServerResponse, lifetime: Lifetime): Promise<void> {
    try {
      const client = clientOf(req, bearerToken(req));
      if (!client) return refuse(res, unauthorised);
      const { method = '' } = req;
      if (!methods.includes(method)) {
        return refuse(res, { status: 405, message: 'Method not allowed.', headers: { allow: methods.join(', ') } });
      }
      const body = method === 'POST' ? await readBody(req, options.maxBodyBytes) : undefined;
      if (body?.type === 'cut off') return;
      if (body?.type === 'too large') {
        const message = `Body over ${options.maxBodyBytes} bytes (--max-body-bytes)`;
        return refuse(res, { status: 413, message, headers: { connection: 'close' } });
      }
      const gone = new AbortController();
      lifetime.onOver(() => gone.abort());
      const asked = new Request('http://localhost/mcp', { method, headers: headersOf(req), signal: gone.signal });
      const response = await mcp.answer(asked, body?.text, authInfoFor(client), { client, lifetime });
      await sendResponse(response, res, lifetime, (text) => log('warning', `http: ${text}`));
    } catch (error) {
      log('error', `BUG http: ${error instanceof Error ? error.stack : String(error)}`);
      if (res.headersSent) res.destroy();
      else refuse(res, { status: 500, message: 'Internal server error' });
    }
  }

  function upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refusal = gate.refusal(req, 'socket');
    if (refusal) return refuseSocket(socket, refusal);
    if (!page || targetOf(req)?.path !== '/view') {
      return refuseSocket(socket, { status: 400, message: 'Nothing here is upgraded; send the request without Upgrade.' });
    }
    const client = clientOf(req, page.tokenOf(req));
    if (!client) return refuseSocket(socket, unauthorised);
    const why = page.upgrade(req, socket, head, client);
    if (why !== undefined) refuseSocket(socket, { status: 503, message: why });
  }

  function clientOf(req: IncomingMessage, token: string | undefined): HttpClient | undefined {
    const client = gate.clientWith(token, req);
    if (!client && token !== undefined) denied.count(req.socket.remoteAddress);
    return client;
  }

  const server = await listen({ request, upgrade }, options);
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `${options.tls ? 'https' : 'http'}://${host}:${port}/mcp`,
    renewTls(files) {
      if (server instanceof TlsServer) server.setSecureContext(files);
    },
    async close() {
      page?.close();
      await mcp.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function headersOf({ headers }: IncomingMessage): Headers {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value ?? []].flat()) kept.append(name, each);
  }
  return kept;
}
