import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type Server as HttpServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type NodeIncomingMessageLike, type NodeServerResponseLike, toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  readRequestBody,
} from '@modelcontextprotocol/server';
import { type GateOptions, httpGate, refuse, refuseUnauthorised } from './http-gate.ts';
import { listenedUris } from './interest.ts';
import { LegacySessions, rpcError } from './legacy-sessions.ts';
import { createMcpServer, type ServerIdentity } from './mcp-server.ts';
import type { Surface } from './surface.ts';

export interface HttpOptions extends GateOptions, ServerIdentity {
  readonly host: string;
  readonly port: number;
  readonly maxStreams: number;
  readonly maxSessions: number;
  readonly maxBodyBytes: number;
  log(text: string): void;
  readonly page?: LivePage;
}

/** What a person sees at the same address; knows nothing of MCP. */
export interface LivePage {
  /** Answers a request for one of its files; false if it has none there. */
  handle(req: IncomingMessage, res: ServerResponse): boolean;
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

export interface HttpEndpoint {
  readonly url: string;
  close(): Promise<void>;
}

/** MCP over Streamable HTTP at `/mcp`, every protocol version at the same address, any number of clients. */
export async function serveHttp(surface: Surface, options: HttpOptions): Promise<HttpEndpoint> {
  const onerror = (error: Error) => options.log(`http: ${error.message}`);
  const modern = createMcpHandler(() => createMcpServer(surface, options), {
    legacy: 'reject',
    onerror,
    maxSubscriptions: options.maxStreams,
    maxRequestBodySize: options.maxBodyBytes,
  });
  const unbind = [
    surface.onUpdate((uri) => modern.notify.resourceUpdated(uri)),
    surface.onListChange(() => modern.notify.resourcesChanged()),
  ];
  const legacy = new LegacySessions(surface, options, options.maxSessions);
  const streams = new StreamCount(options.maxStreams);

  async function fetch(request: Request, given: McpHandlerRequestOptions = {}): Promise<Response> {
    if (request.method !== 'POST') {
      if (request.method === 'GET' && !streams.admit()) return streams.refusal();
      return legacy.handle(request, given);
    }
    if (!isJsonContentType(request.headers.get('content-type'))) {
      return rpcError(415, -32000, 'Content-Type must be application/json');
    }
    const body = await readRequestBody(request, options.maxBodyBytes);
    if (body.tooLarge) return rpcError(413, -32000, `Body over ${options.maxBodyBytes} bytes (--max-body-bytes)`);
    const parsedBody = parseJson(body.text);
    if (parsedBody === undefined) return rpcError(400, -32700, 'Parse error: not JSON');
    const routed = { ...given, parsedBody };
    if (await isLegacyRequest(request, parsedBody)) return legacy.handle(request, routed);
    if (isListen(parsedBody) && !streams.admit(surface.interest.hold(listenedUris(parsedBody))))
      return streams.refusal();
    return modern.fetch(request, routed);
  }

  const handle = toNodeHandler({ fetch }, { onerror, maxRequestBodySize: options.maxBodyBytes });
  const gate = httpGate(options);
  const server = createServer((req, res) => {
    if (!gate.admits(req, res)) return;
    if (req.url?.split('?')[0] !== '/mcp') {
      if (isPageStart(req) && !gate.authorises(req, 'address')) return void refusePage(res);
      if (!options.page?.handle(req, res)) refuse(res, 404, 'MCP is served at /mcp.');
      return;
    }
    if (!gate.authorises(req, 'header')) return void refuseUnauthorised(res);
    streams.watch(
      () => void handle(asHandled(req), asAnswered(res)),
      (done) => res.on('close', done),
    );
  });
  server.on('upgrade', (req, socket, head) => {
    const res = new ServerResponse(req);
    if (gate.admits(req, res) && gate.authorises(req, 'address') && options.page)
      options.page.upgrade(req, socket, head);
    else socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await listen(server, options.port, options.host);
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${portOf(server)}/mcp`,
    async close() {
      for (const each of unbind) each();
      options.page?.close();
      await Promise.allSettled([modern.close(), legacy.close()]);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isPageStart(req: IncomingMessage): boolean {
  return req.method === 'GET' && req.url?.split('?')[0] === '/';
}

function refusePage(res: ServerResponse): void {
  res.writeHead(401, { 'content-type': 'text/plain; charset=utf-8' });
  res.end('Open the address that the server printed at its start; it ends with ?token=…\n');
}

/** A request with the fields the SDK reads; its types leave no room for Node's `undefined`. */
function asHandled(req: IncomingMessage): NodeIncomingMessageLike {
  const { method = 'GET', url = '/', headers } = req;
  return { method, url, headers, [Symbol.asyncIterator]: () => req[Symbol.asyncIterator]() };
}

/** A response that shows its head at once: a stream may have nothing to say for a long time, and clients wait for it. */
function asAnswered(res: ServerResponse): NodeServerResponseLike {
  return {
    writeHead(status, headers) {
      res.writeHead(status, headers);
      if (headers?.['content-type']?.startsWith('text/event-stream')) res.flushHeaders();
    },
    write: (chunk) => res.write(chunk),
    end: (chunk) => res.end(chunk),
    on: (event, listener) => res.on(event, listener),
    get destroyed() {
      return res.destroyed;
    },
  };
}

/** Counts the responses that stay open, whichever protocol they belong to. */
class StreamCount {
  readonly #max: number;
  readonly #request = new AsyncLocalStorage<{ admitted: boolean; ended: () => void }>();
  #open = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Runs the handling of one request; `onClose` registers what to do when its response ends. */
  watch(handle: () => void, onClose: (done: () => void) => void): void {
    const request = { admitted: false, ended: () => {} };
    onClose(() => {
      if (request.admitted) this.#open--;
      request.ended();
    });
    this.#request.run(request, handle);
  }

  /** `ended` is called when the stream is over, also if it never begins. */
  admit(ended: () => void = () => {}): boolean {
    const request = this.#request.getStore();
    if (request === undefined || this.#open >= this.#max) {
      ended();
      return false;
    }
    request.admitted = true;
    request.ended = ended;
    this.#open++;
    return true;
  }

  refusal(): Response {
    return rpcError(503, -32000, `${this.#max} streams are open, which is the limit (--max-streams)`);
  }
}

function listen(server: HttpServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function portOf(server: HttpServer): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isListen(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === 'subscriptions/listen';
}
