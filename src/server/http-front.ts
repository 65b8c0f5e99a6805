import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ToolHost } from '../api/tool-host.ts';
import { authInfoFor, type HttpClient } from './caller-of.ts';
import { bearerToken, type GateOptions, HttpGate, type Refusal, refuse, unauthorised } from './http-gate.ts';
import type { Lifetime } from './lifetime.ts';
import { type EndpointOptions, McpEndpoint } from './mcp-endpoint.ts';
import { makeJsonPlain } from './plain-json.ts';
import { readBody } from './read-body.ts';
import { refuseSocket } from './refuse-socket.ts';
import { type RequestTarget, targetOf } from './request-target.ts';
import { sendResponse } from './send-response.ts';
import type { Strangers } from './strangers.ts';
import type { Surface } from './surface.ts';

export interface HttpFrontOptions extends GateOptions, EndpointOptions {
  readonly audit: ToolHost['audit'];
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

const mostAtOnce = 512;
const methods = ['GET', 'POST', 'DELETE'];
const noPath: Refusal = { status: 400, message: 'The target of the request is not a path.' };
const notHere: Refusal = { status: 404, message: 'MCP is served at /mcp.' };
const noUpgrade: Refusal = { status: 400, message: 'Nothing here is upgraded; send the request without Upgrade.' };
const tooMany: Refusal = { status: 503, message: `${mostAtOnce} requests are under way, which is the limit.` };
const wrongMethod: Refusal = { status: 405, message: 'Method not allowed.', headers: { allow: methods.join(', ') } };

/** Everything behind one address: who may come in, and who answers what. */
export class HttpFront {
  readonly #options: HttpFrontOptions;
  readonly #gate: HttpGate;
  readonly #mcp: McpEndpoint;
  readonly #strangers: Strangers;
  #atOnce = 0;

  constructor(surface: Surface, options: HttpFrontOptions, strangers: Strangers) {
    makeJsonPlain();
    this.#options = options;
    this.#strangers = strangers;
    this.#gate = new HttpGate(options);
    this.#mcp = new McpEndpoint(surface, options);
  }

  request(req: IncomingMessage, res: ServerResponse, lifetime: Lifetime): void {
    this.#atOnce++;
    lifetime.onOver(() => this.#atOnce--);
    const { origins } = this.#gate;
    for (const [name, value] of Object.entries(origins.grants(req))) res.setHeader(name, value);
    const target = targetOf(req);
    const refusal = this.#gate.refusal(req, 'request') ?? (this.#atOnce > mostAtOnce ? tooMany : undefined);
    const preflight = origins.preflight(req);
    if (refusal || !target) refuse(res, refusal ?? noPath);
    else if (preflight) res.writeHead(204, preflight).end();
    else this.#route(target, req, res, lifetime);
  }

  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refusal = this.#upgraded(req, socket, head);
    if (refusal) refuseSocket(socket, refusal);
  }

  async close(): Promise<void> {
    this.#options.page?.close();
    await this.#mcp.close();
  }

  #route({ path }: RequestTarget, req: IncomingMessage, res: ServerResponse, lifetime: Lifetime): void {
    if (path === '/mcp') void this.#call(req, res, lifetime);
    else if (path === '/session') this.#tellWho(req, res);
    else if (!this.#options.page?.handle(path, req, res)) refuse(res, notHere);
  }

  /** For the page, which has to know whether its token is one before it opens a socket. */
  #tellWho(req: IncomingMessage, res: ServerResponse): void {
    const client = this.#clientWith(bearerToken(req), req);
    if (!client) {
      refuse(res, unauthorised);
      return;
    }
    const { name, role } = client;
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    res.writeHead(200, { ...headers, 'x-content-type-options': 'nosniff' });
    res.end(JSON.stringify({ ...(name !== undefined && { name }), role }));
  }

  async #call(req: IncomingMessage, res: ServerResponse, lifetime: Lifetime): Promise<void> {
    const { log } = this.#options;
    try {
      const answer = await this.#answer(req, lifetime);
      if (answer instanceof Response)
        await sendResponse(answer, res, lifetime, (text) => log('warning', `http: ${text}`));
      else if (answer) refuse(res, answer);
    } catch (error) {
      log('error', `BUG http: ${error instanceof Error ? error.stack : String(error)}`);
      if (res.headersSent) res.destroy();
      else refuse(res, { status: 500, message: 'Internal server error' });
    }
  }

  /** Nothing to somebody who is gone already. */
  async #answer(req: IncomingMessage, lifetime: Lifetime): Promise<Response | Refusal | undefined> {
    const client = this.#clientWith(bearerToken(req), req);
    if (!client) return unauthorised;
    const { method = '' } = req;
    if (!methods.includes(method)) return wrongMethod;
    const { maxBodyBytes } = this.#options;
    const body = method === 'POST' ? await readBody(req, maxBodyBytes) : undefined;
    if (body?.type === 'cut off') return undefined;
    if (body?.type === 'too large') {
      const message = `Body over ${maxBodyBytes} bytes (--max-body-bytes)`;
      return { status: 413, message, headers: { connection: 'close' } };
    }
    if (body?.type === 'crumbled') {
      const message = 'The request body arrived in too many small pieces; send larger ones.';
      return { status: 400, message, headers: { connection: 'close' } };
    }
    const gone = new AbortController();
    lifetime.onOver(() => gone.abort());
    const asked = new Request('http://localhost/mcp', { method, headers: headersOf(req), signal: gone.signal });
    return this.#mcp.answer(asked, body?.text, authInfoFor(client), { client, lifetime });
  }

  #upgraded(req: IncomingMessage, socket: Duplex, head: Buffer): Refusal | undefined {
    const { page } = this.#options;
    const refusal = this.#gate.refusal(req, 'socket');
    if (refusal) return refusal;
    if (!page || targetOf(req)?.path !== '/view') return noUpgrade;
    const client = this.#clientWith(page.tokenOf(req), req);
    if (!client) return unauthorised;
    const why = page.upgrade(req, socket, head, client);
    return why === undefined ? undefined : { status: 503, message: why };
  }

  #clientWith(token: string | undefined, req: IncomingMessage): HttpClient | undefined {
    const client = this.#gate.clientWith(token, req);
    if (client) this.#strangers.welcome(req.socket);
    else if (token !== undefined) {
      const address = req.socket.remoteAddress;
      this.#options.audit({ address }, { tool: 'http', outcome: 'denied', why: 'a token that is none of ours' });
    }
    return client;
  }
}

function headersOf({ headers }: IncomingMessage): Headers {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value ?? []].flat()) kept.append(name, each);
  }
  return kept;
}
