import { randomUUID } from 'node:crypto';
import {
  type McpHandlerRequestOptions,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { bindConnection } from './bind-connection.ts';
import type { HttpClient } from './caller-of.ts';
import type { Lifetime } from './lifetime.ts';
import { answerOf, cancelledBy, type RequestId, requestOf } from './message-parts.ts';
import { isEventId, RecentEvents } from './recent-events.ts';
import { rpcError } from './rpc-error.ts';
import type { Surface } from './surface.ts';

export interface SessionLimits {
  readonly maxSessions: number;
  /** A session ends that nobody has used for so long. */
  readonly sessionIdleMs: number;
}

/** One request and its answer, which may be a stream. */
export interface Exchange {
  readonly client: HttpClient;
  readonly lifetime: Lifetime;
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly events: RecentEvents;
  /** Requests without an answer. */
  readonly waiting: Set<RequestId>;
  /** Whose it is: nobody else's token opens it. */
  readonly owner: string | undefined;
  /** Answers that are not over yet. */
  open: number;
  idleSince: number;
  /** The stream of notifications that was opened last, and what has been said since it was closed. */
  stream: object | undefined;
  missedFrom: number;
}

/** How the SDK calls the stream of what belongs to no request. */
const notifications = '_GET_stream';
const retryMs = 1000;

/** Clients of the protocols up to 2025-11-25, which keep a session: one endpoint each, as long as it lasts. */
export class LegacySessions {
  readonly #createServer: () => Server;
  readonly #surface: Surface;
  readonly #limits: SessionLimits;
  readonly #sessions = new Map<string, Session>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(createServer: () => Server, surface: Surface, limits: SessionLimits) {
    this.#createServer = createServer;
    this.#surface = surface;
    this.#limits = limits;
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(limits.sessionIdleMs, 60_000)).unref();
  }

  async handle(request: Request, options: McpHandlerRequestOptions, exchange: Exchange): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const session = this.#sessions.get(id);
      if (!session || session.owner !== exchange.client.name) {
        return rpcError(404, -32001, 'Session not found: initialize again');
      }
      const last = request.headers.get('last-event-id');
      if (last !== null && !isEventId(last)) {
        const message = 'Bad Request: this Last-Event-ID is none of this server. Leave it out to go on from now.';
        return rpcError(400, -32000, message);
      }
      this.#use(session, exchange);
      const asked = request.method === 'GET' ? resuming(session, request, exchange) : request;
      for (const message of [options.parsedBody].flat()) {
        const wanted = requestOf(message);
        if (wanted) session.waiting.add(wanted.id);
      }
      const answer = await session.transport.handleRequest(asked, options);
      for (const message of [options.parsedBody].flat()) await answerCancelled(session.transport, message);
      return answer;
    }
    if (!isInitialize(options.parsedBody)) return rpcError(400, -32000, 'Bad Request: Mcp-Session-Id is required');
    const { maxSessions } = this.#limits;
    if (this.#sessions.size >= maxSessions) {
      return rpcError(503, -32000, `Too many sessions (--max-sessions ${maxSessions})`);
    }
    return (await this.#open(exchange)).handleRequest(request, options);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.allSettled([...this.#sessions.values()].map(closeAnswered));
  }

  async #open(exchange: Exchange): Promise<WebStandardStreamableHTTPServerTransport> {
    const events = new RecentEvents();
    const waiting = new Set<RequestId>();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: events,
      retryInterval: retryMs,
      onsessioninitialized: (id) => {
        const owner = exchange.client.name;
        const session: Session = {
          ...{ transport, events, waiting, owner, open: 0, idleSince: 0, stream: undefined, missedFrom: 0 },
        };
        this.#use(session, exchange);
        this.#sessions.set(id, session);
      },
      onsessionclosed: (id) => this.#forget(id),
    });
    const { server } = bindConnection(this.#createServer(), this.#surface, 'legacy');
    await server.connect(transport);
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      const answer = answerOf(message);
      if (answer) waiting.delete(answer.id);
      return send(message, options);
    };
    const closed = transport.onclose;
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#forget(transport.sessionId);
      closed?.();
    };
    return transport;
  }

  #use(session: Session, { lifetime }: Exchange): void {
    session.open++;
    lifetime.onOver(() => {
      session.open--;
      session.idleSince = performance.now();
    });
  }

  #forget(id: string): void {
    this.#sessions.delete(id);
    this.#surface.sessionEnded?.(id);
  }

  /** A stream that is open is use, however little it says. */
  #sweep(): void {
    const oldest = performance.now() - this.#limits.sessionIdleMs;
    for (const { transport, open, idleSince } of this.#sessions.values()) {
      if (open === 0 && idleSince < oldest) transport.close().catch(() => {});
    }
  }
}

/**
 * A client that asks for its stream takes it over, whatever became of the one before, and gets what was said in between.
 * The SDK does both for one that says what it got last, and refuses all others for as long as it thinks that the earlier
 * stream is in use.
 */
function resuming(session: Session, request: Request, { lifetime }: Exchange): Request {
  const { events } = session;
  const given = request.headers.get('last-event-id');
  if (given !== null && !given.endsWith(`.${notifications}`)) return request;
  const from = session.stream ? events.now : session.missedFrom;
  const stream = {};
  session.stream = stream;
  lifetime.onOver(() => {
    if (session.stream !== stream) return;
    session.stream = undefined;
    session.missedFrom = events.now;
  });
  const headers = new Headers(request.headers);
  headers.set('last-event-id', given ?? `${from}.${notifications}`);
  return new Request(request.url, { method: 'GET', headers, signal: request.signal });
}

/**
 * The SDK says nothing more to a request that was taken back, and leaves its answer open: a connection, a place among the
 * requests under way, and a session that never grows old. An answer closes it, and clients ignore what it says.
 */
async function answerCancelled(transport: WebStandardStreamableHTTPServerTransport, message: unknown): Promise<void> {
  const id = cancelledBy(message);
  if (id === undefined) return;
  const error = { code: -32000, message: 'The request was cancelled.' };
  // Fails where it was answered before.
  await transport.send({ jsonrpc: '2.0', id, error }).catch(() => {});
}

/** The SDK ends the answers of what is still being worked on without a word. */
async function closeAnswered({ transport, waiting }: Session): Promise<void> {
  const message = 'The server is shutting down. What this call had done by then is not known.';
  const sent = [...waiting].map((id) => transport.send({ jsonrpc: '2.0', id, error: { code: -32000, message } }));
  await Promise.allSettled(sent);
  await transport.close();
}

function isInitialize(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === 'initialize';
}
