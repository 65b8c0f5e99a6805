import type { PageCommand, PageEvent } from '../channel.ts';

const firstRetryMs = 500;
const lastRetryMs = 10_000;

export interface ConnectionEvents {
  opened(): void;
  event(event: PageEvent): void;
  picture(bytes: Uint8Array): void;
  lost(): void;
}

/** The socket to the server, opened again whenever it is lost. */
export class Connection {
  readonly #events: ConnectionEvents;
  #socket: WebSocket | undefined;
  #retryMs = firstRetryMs;

  constructor(events: ConnectionEvents) {
    this.#events = events;
    this.#open();
  }

  send(command: PageCommand): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(command));
  }

  #open(): void {
    const token = new URLSearchParams(location.search).get('token') ?? '';
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/view?token=${encodeURIComponent(token)}`);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.#retryMs = firstRetryMs;
      this.#events.opened();
    };
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) this.#events.picture(new Uint8Array(data));
      else this.#events.event(JSON.parse(data));
    };
    socket.onclose = () => {
      this.#events.lost();
      setTimeout(() => this.#open(), this.#retryMs);
      this.#retryMs = Math.min(this.#retryMs * 2, lastRetryMs);
    };
    this.#socket = socket;
  }
}
