import { randomUUID } from 'node:crypto';
import { type McpHandlerRequestOptions, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { bindConnection } from './bind-connection.ts';
import { createMcpServer, type ServerIdentity } from './mcp-server.ts';
import type { Surface } from './surface.ts';

const idleMs = 30 * 60_000;

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  seenAt: number;
}

/** Clients of the protocols up to 2025-11-25, which keep a session: one endpoint each, as long as it lasts. */
export class LegacySessions {
  readonly #surface: Surface;
  readonly #identity: ServerIdentity;
  readonly #max: number;
  readonly #sessions = new Map<string, Session>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(surface: Surface, identity: ServerIdentity, max: number) {
    this.#surface = surface;
    this.#identity = identity;
    this.#max = max;
    this.#sweeper = setInterval(() => this.#sweep(), 60_000).unref();
  }

  async handle(request: Request, options: McpHandlerRequestOptions): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const session = this.#sessions.get(id);
      if (!session) return rpcError(404, -32001, 'Session not found: initialize again');
      session.seenAt = Date.now();
      return session.transport.handleRequest(request, options);
    }
    if (!isInitialize(options.parsedBody)) return rpcError(400, -32000, 'Bad Request: Mcp-Session-Id is required');
    if (this.#sessions.size >= this.#max)
      return rpcError(503, -32000, `Too many sessions (--max-sessions ${this.#max})`);
    return (await this.#open()).handleRequest(request, options);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.allSettled([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }

  async #open(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#sessions.set(id, { transport, seenAt: Date.now() }),
      onsessionclosed: (id) => this.#forget(id),
    });
    const { server } = bindConnection(createMcpServer(this.#surface, this.#identity), this.#surface, 'legacy');
    await server.connect(transport);
    const closed = transport.onclose;
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#forget(transport.sessionId);
      closed?.();
    };
    return transport;
  }

  #forget(id: string): void {
    this.#sessions.delete(id);
    this.#surface.sessionEnded?.(id);
  }

  #sweep(): void {
    const oldest = Date.now() - idleMs;
    for (const { transport, seenAt } of this.#sessions.values()) if (seenAt < oldest) void transport.close();
  }
}

export function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}

function isInitialize(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === 'initialize';
}
