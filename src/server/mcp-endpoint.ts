import {
  type AuthInfo,
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { listenedUris, listenMethod, maxSubscriptions } from './interest.ts';
import { type Exchange, LegacySessions, type SessionLimits } from './legacy-sessions.ts';
import { createMcpServer, type ServerIdentity } from './mcp-server.ts';
import { requestOf } from './message-parts.ts';
import { mirroredArguments, paramHeaderFault } from './param-headers.ts';
import { readMessage } from './read-message.ts';
import { rpcError } from './rpc-error.ts';
import type { Surface } from './surface.ts';

export interface EndpointOptions extends ServerIdentity, SessionLimits {
  readonly maxStreams: number;
  readonly maxBodyBytes: number;
  log(level: 'debug' | 'warning' | 'error', text: string): void;
}

const headerMismatch = -32020;
/** Calls that are carried out at a time, those included that nobody waits for any more. */
const mostAtWork = 512;
const calls = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.literal('tools/call'),
  params: z.object({ name: z.string(), arguments: z.unknown() }),
});

/** MCP as requests and answers: finds out which protocol is spoken and has it answered. */
export class McpEndpoint {
  readonly #surface: Surface;
  readonly #modern: McpHttpHandler;
  readonly #legacy: LegacySessions;
  readonly #streams: StreamLimit;
  readonly #mirrored = new Map<string, ReturnType<typeof mirroredArguments>>();
  readonly #unbind: readonly (() => void)[];
  #atWork = 0;

  constructor(surface: Surface, options: EndpointOptions) {
    this.#surface = surface;
    const onWork = () => {
      this.#atWork++;
      return () => {
        this.#atWork--;
      };
    };
    this.#modern = createMcpHandler(() => createMcpServer(surface, options, onWork), {
      legacy: 'reject',
      onerror: (error) => options.log('warning', `http: ${error.message}`),
      maxSubscriptions: options.maxStreams,
      maxRequestBodySize: options.maxBodyBytes,
    });
    this.#unbind = [
      surface.onUpdate((uri, params) =>
        this.#modern.bus.publish({ kind: 'resource_updated', uri, ...(params && { params }) }),
      ),
      surface.onListChange(() => this.#modern.notify.resourcesChanged()),
      surface.onToolsListed?.(() => this.#modern.notify.toolsChanged()) ?? (() => {}),
    ];
    this.#legacy = new LegacySessions(() => createMcpServer(surface, options, onWork), surface, options);
    this.#streams = new StreamLimit(options.maxStreams);
  }

  async answer(request: Request, body: string | undefined, authInfo: AuthInfo, exchange: Exchange): Promise<Response> {
    if (body === undefined) {
      if (request.method === 'GET' && !this.#streams.admit(exchange)) return this.#streams.refusal();
      return this.#legacy.handle(request, { authInfo }, exchange);
    }
    if (!isJsonContentType(request.headers.get('content-type'))) {
      return rpcError(415, -32000, 'Content-Type must be application/json');
    }
    const read = readMessage(body.replace(/^\uFEFF/, ''), true);
    if (read.type === 'fault') {
      const { error, id } = read.fault;
      return rpcError(400, error.code, error.message, id ?? null);
    }
    const { value } = read;
    const fault = this.#tooMuchWork(value);
    if (fault) return fault;
    const options = { authInfo, parsedBody: value };
    if (await isLegacyRequest(request, value)) return this.#legacy.handle(request, options, exchange);
    const mismatch = this.#paramHeaderFault(value, request.headers);
    if (mismatch) return mismatch;
    if (requestOf(value)?.method === listenMethod) {
      const uris = listenedUris(value);
      if (uris.length > maxSubscriptions) {
        return rpcError(
          400,
          -32602,
          `A stream can have at most ${maxSubscriptions} subscriptions`,
          requestOf(value)?.id,
        );
      }
      if (!this.#streams.admit(exchange)) return this.#streams.refusal();
      exchange.lifetime.onOver(this.#surface.interest.hold(uris));
    }
    return this.#modern.fetch(request, options);
  }

  /** A connection that is gone, or a call that was taken back, leaves its tool at work until that has ended. */
  #tooMuchWork(body: unknown): Response | undefined {
    const wanted = [body]
      .flat()
      .map(requestOf)
      .filter((request) => request && request.method !== 'ping');
    if (wanted.length === 0 || this.#atWork + wanted.length <= mostAtWork) return undefined;
    const message = `${mostAtWork} calls are in progress, which is the limit; cancelled ones count until they have ended. Send this one again later.`;
    return rpcError(503, -32000, message, Array.isArray(body) ? null : wanted[0]?.id);
  }

  /** The SDK compares these for servers that register their tools with it. */
  #paramHeaderFault(body: unknown, headers: Headers): Response | undefined {
    const call = calls.safeParse(body);
    const mirrored = call.success ? this.#mirroredOf(call.data.params.name) : undefined;
    if (!call.success || !mirrored) return undefined;
    const fault = paramHeaderFault(mirrored, call.data.params.arguments, headers);
    return fault === undefined ? undefined : rpcError(400, headerMismatch, `Header mismatch: ${fault}`, call.data.id);
  }

  #mirroredOf(name: string): ReturnType<typeof mirroredArguments> | undefined {
    const known = this.#mirrored.get(name);
    if (known) return known;
    const tool = this.#surface.tools.find(({ definition }) => definition.name === name);
    if (!tool) return undefined;
    const mirrored = mirroredArguments(tool.definition);
    this.#mirrored.set(name, mirrored);
    return mirrored;
  }

  async close(): Promise<void> {
    for (const each of this.#unbind) each();
    await Promise.allSettled([this.#modern.close(), this.#legacy.close()]);
  }
}

/** Counts the answers that stay open, whichever protocol they belong to. */
class StreamLimit {
  readonly #max: number;
  #open = 0;

  constructor(max: number) {
    this.#max = max;
  }

  admit({ lifetime }: Exchange): boolean {
    if (this.#open >= this.#max) return false;
    this.#open++;
    lifetime.onOver(() => this.#open--);
    return true;
  }

  refusal(): Response {
    return rpcError(503, -32000, `${this.#max} streams are open, which is the limit (--max-streams)`);
  }
}
