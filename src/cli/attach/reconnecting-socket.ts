import { createConnection, type Socket } from 'node:net';

const firstDelayMs = 500;
const lastDelayMs = 16_000;
/** A connection that lasted so long was a good one: the next attempt may come soon. */
const stableMs = 5_000;

export interface ReconnectingSocketEvents {
  /** Connected; nothing has been read yet. */
  open(socket: Socket): void;
  /** The connection ended after everything it delivered was read, or an attempt failed. */
  lost(reason: string, retryMs: number): void;
}

/** A unix socket that is connected again whenever it goes away: after 0.5 s, then twice as long, up to 16 s. */
export class ReconnectingSocket {
  readonly #path: () => Promise<string>;
  readonly #events: ReconnectingSocketEvents;
  #socket: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #delayMs = firstDelayMs;
  #stopped = false;

  /** `path` is asked before each attempt; it rejects when the socket is not there. */
  constructor(path: () => Promise<string>, events: ReconnectingSocketEvents) {
    this.#path = path;
    this.#events = events;
  }

  /** The open connection. */
  get socket(): Socket | undefined {
    return this.#socket?.readyState === 'opening' ? undefined : this.#socket;
  }

  start(): void {
    this.#path().then(
      (path) => this.#connect(path),
      (error: unknown) => this.#retry(error instanceof Error ? error.message : String(error)),
    );
  }

  /** No further attempts. The open connection stays as it is. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  destroy(): void {
    this.stop();
    this.#socket?.destroy();
  }

  #connect(path: string): void {
    if (this.#stopped) return;
    const socket = createConnection({ path });
    let reason = 'the server closed it';
    let openedAt = Number.POSITIVE_INFINITY;
    this.#socket = socket;
    socket.on('connect', () => {
      openedAt = performance.now();
      this.#events.open(socket);
    });
    socket.on('error', (error) => {
      reason = error.message;
    });
    socket.on('close', () => {
      this.#socket = undefined;
      if (performance.now() - openedAt >= stableMs) this.#delayMs = firstDelayMs;
      this.#retry(reason);
    });
  }

  #retry(reason: string): void {
    if (this.#stopped) return;
    const delayMs = this.#delayMs;
    this.#delayMs = Math.min(delayMs * 2, lastDelayMs);
    this.#timer = setTimeout(() => this.start(), delayMs);
    this.#events.lost(reason, delayMs);
  }
}
