import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { headFault, mostHeaders } from './head-fault.ts';
import { type Refusal, refuse } from './http-gate.ts';
import { ignoreUpgrade } from './ignored-upgrade.ts';
import { Lifetime } from './lifetime.ts';
import { refuseSocket } from './refuse-socket.ts';
import type { Strangers } from './strangers.ts';

/** A certificate and its key, both in PEM. */
export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly maxConnections: number;
  readonly tls?: TlsFiles | undefined;
  /** Why nobody who comes over this connection may; asked once for each. Without it, none is asked about. */
  strangerAt?(socket: Socket): Promise<Refusal | undefined>;
  log(level: 'debug' | 'warning' | 'error', text: string): void;
}

export interface ConnectionHandlers {
  request(req: IncomingMessage, res: ServerResponse, lifetime: Lifetime): void;
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** How long each stage may take: a client that sends a byte now and then must not hold a connection. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16 * 1024,
  // Asks a peer that says nothing whether it is still there.
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
};
const handshakeTimeout = 10_000;
/**
 * What clients are told of `keepAliveTimeout`: much less. A connection that ends while a request is on its way is a failed call, and a
 * busy computer takes seconds for either.
 */
const saidKeepAliveSeconds = 5;
/** Requests that one connection may send ahead of their answers. */
const mostPipelined = 16;

/** Listens for HTTP. No error of a connection, a handler or the listening socket leaves here. */
export async function listen(
  handlers: ConnectionHandlers,
  options: ListenOptions,
  strangers: Strangers,
): Promise<HttpServer> {
  const { log, tls } = options;
  const server = tls ? createTlsServer({ ...limits, handshakeTimeout, ...tls }) : createServer(limits);
  server.maxConnections = options.maxConnections;
  server.maxHeadersCount = mostHeaders;
  const arrived = (socket: Socket) => strangers.add(socket);
  server.on('connection', arrived);
  server.on('secureConnection', arrived);
  const underWay = new WeakMap<Socket, number>();
  const verdicts = new WeakMap<Socket, Promise<Refusal | undefined>>();
  const unlessStranger = (
    socket: Socket,
    act: () => void,
    turnAway: (refusal: Refusal) => void,
    giveUp: () => void,
  ) => {
    if (!options.strangerAt) return attempt(log, act, giveUp);
    const verdict = verdicts.get(socket) ?? options.strangerAt(socket);
    verdicts.set(socket, verdict);
    const decided = (refusal: Refusal | undefined) => attempt(log, () => (refusal ? turnAway(refusal) : act()), giveUp);
    verdict.then(decided, (error) => {
      log('error', `http: nobody can tell who is at a connection: ${error}`);
      giveUp();
    });
  };
  server.on('request', (req, res) => {
    req.on('error', (error) => log('debug', `http: request: ${error.message}`));
    res.on('error', (error) => log('debug', `http: response: ${error.message}`));
    if (res.shouldKeepAlive) {
      res.setHeader('Connection', 'keep-alive');
      res.setHeader('Keep-Alive', `timeout=${saidKeepAliveSeconds}`);
    }
    const lifetime = new Lifetime(res);
    const { socket } = req;
    const count = (underWay.get(socket) ?? 0) + 1;
    underWay.set(socket, count);
    lifetime.onOver(() => underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
    const fault = headFault(req);
    if (count > mostPipelined) socket.destroy();
    else if (fault) refuse(res, fault);
    else
      unlessStranger(
        socket,
        () => handlers.request(req, res, lifetime),
        (refusal) => refuse(res, refusal),
        () => res.destroy(),
      );
  });
  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Node takes its own listeners off before it hands the socket over, and a reset may already be on its way.
    const failed = (error: Error) => {
      log('debug', `http: upgrade: ${error.message}`);
      socket.destroy();
    };
    socket.on('error', failed);
    const fault = headFault(req);
    if (fault) {
      refuseSocket(socket, fault);
      return;
    }
    const isSocket = req.headers.upgrade?.toLowerCase() === 'websocket';
    if (!isSocket && !underWay.get(req.socket) && ignoreUpgrade(server, req, socket, head)) {
      socket.off('error', failed);
      return;
    }
    unlessStranger(
      req.socket,
      () => handlers.upgrade(req, socket, head),
      (refusal) => refuseSocket(socket, refusal),
      () => socket.destroy(),
    );
  });
  const dropped = new DroppedConnections(log, options.maxConnections);
  server.on('drop', () => dropped.count());
  server.on('tlsClientError', (error: Error) => log('debug', `tls: ${error.message}`));
  await start(server, options);
  // Accepting fails when descriptors run out; those who wait are accepted when there are some again.
  server.on('error', (error) => log('error', `http: ${error.message}`));
  return server;
}

/** A fault of ours in one request is that request's end, not everybody's. */
function attempt(log: ListenOptions['log'], act: () => void, giveUp: () => void): void {
  try {
    act();
  } catch (error) {
    log('error', `BUG http: ${error instanceof Error ? error.stack : String(error)}`);
    giveUp();
  }
}

/** Says that connections are turned away, once a minute at most. */
class DroppedConnections {
  readonly #log: ListenOptions['log'];
  readonly #most: number;
  #count = 0;
  #saidAt = Number.NEGATIVE_INFINITY;

  constructor(log: ListenOptions['log'], most: number) {
    this.#log = log;
    this.#most = most;
  }

  count(): void {
    this.#count++;
    if (performance.now() - this.#saidAt < 60_000) return;
    this.#saidAt = performance.now();
    this.#log(
      'warning',
      `http: ${this.#most} connections are open, which is the limit; ${this.#count} turned away so far`,
    );
  }
}

function start(server: HttpServer, { port, host }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
