import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { maxSubscriptions } from './interest.ts';
import { Outbox, type Wire } from './outbox.ts';
import type { Surface } from './surface.ts';

let connections = 0;

export interface BoundConnection {
  readonly server: Server;
  /** For the 2026 protocol, whose subscriptions the entry point keeps. */
  subscribe(uri: string): void;
  unsubscribe(uri: string): void;
}

/**
 * Binds an endpoint that lives as long as its connection to what happens on the rack. In the 2026 protocol the entry
 * point routes updates to the streams that listen; in the earlier ones each connection keeps its own subscriptions.
 * `wire` is given where it can be seen that the client does not read.
 */
export function bindConnection(
  server: Server,
  surface: Surface,
  era: 'legacy' | 'modern',
  wire?: Wire,
): BoundConnection {
  const reader = `updates-${++connections}`;
  const { interest, stream } = surface;
  const subscribed = new Map<string, () => void>();
  const outbox = outboxOf(server, surface, reader, wire);
  const subscribe = (uri: string) => {
    if (subscribed.has(uri)) return;
    subscribed.set(uri, interest.hold([uri]));
    stream?.begin(uri, reader);
  };
  const unsubscribe = (uri: string) => {
    subscribed.get(uri)?.();
    subscribed.delete(uri);
    outbox.forget(uri);
    stream?.end(uri, reader);
  };
  if (era === 'legacy') {
    server.setRequestHandler('resources/subscribe', async (request) => {
      if (subscribed.size >= maxSubscriptions && !subscribed.has(request.params.uri)) {
        const message = `A connection can have at most ${maxSubscriptions} subscriptions; end one before you add another`;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
      }
      subscribe(request.params.uri);
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', async (request) => {
      unsubscribe(request.params.uri);
      return {};
    });
  }
  const unbind = [
    surface.onUpdate((uri) => {
      if (subscribed.has(uri)) outbox.update(uri);
    }),
    surface.onLog((entry) => {
      // The 2026 protocol knows no log outside a request.
      const isOthers = entry.session !== undefined && entry.session !== (server.transport?.sessionId ?? 'stdio');
      if (era === 'legacy' && !isOthers) outbox.log(entry);
    }),
    surface.onListChange(() => outbox.listChanged('resources')),
    surface.onToolsListed?.(() => outbox.listChanged('tools')) ?? (() => {}),
  ];
  const closed = server.onclose;
  server.onclose = () => {
    outbox.close();
    for (const each of unbind) each();
    for (const uri of [...subscribed.keys()]) unsubscribe(uri);
    closed?.();
  };
  return { server, subscribe, unsubscribe };
}

function outboxOf(server: Server, { stream }: Surface, reader: string, wire: Wire | undefined): Outbox {
  const ignore = () => {};
  return new Outbox(
    {
      news: (uri) => (stream ? stream.next(uri, reader) : { params: {}, more: false }),
      sendUpdate: (params) =>
        void server.notification({ method: 'notifications/resources/updated', params }).catch(ignore),
      sendLog: ({ session, ...params }) => {
        // What a client has asked for by a tool is no matter of its log level.
        if (session !== undefined) void server.notification({ method: 'notifications/message', params }).catch(ignore);
        else void server.sendLoggingMessage(params, server.transport?.sessionId).catch(ignore);
      },
      sendListChanged: (list) =>
        void (list === 'tools' ? server.sendToolListChanged() : server.sendResourceListChanged()).catch(ignore),
    },
    wire,
  );
}
