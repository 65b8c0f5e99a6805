import { decodeFrame, type PageCommand, type PageEvent, type PagePicture, type PageSound } from '../channel.ts';

const firstRetryMs = 500;
const lastRetryMs = 5000;

export interface ConnectionEvents {
  opened(): void;
  event(event: PageEvent): void;
  picture(picture: PagePicture): void;
  sound(sound: PageSound): void;
  lost(why: string): void;
}

/** The socket to the server, opened again whenever it is lost. */
export class Connection {
  readonly #events: ConnectionEvents;
  readonly #token = new URLSearchParams(location.search).get('token') ?? '';
  #socket: WebSocket | undefined;
  #retryMs = firstRetryMs;

  constructor(events: ConnectionEvents) {
    this.#events = events;
    this.#open();
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  send(command: PageCommand): void {
    if (this.isOpen) this.#socket?.send(JSON.stringify(command));
  }

  #open(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/view?token=${encodeURIComponent(this.#token)}`);
    let wasOpen = false;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      wasOpen = true;
      this.#retryMs = firstRetryMs;
      this.#events.opened();
    };
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) this.#frame(new Uint8Array(data));
      else this.#events.event(JSON.parse(data));
    };
    socket.onclose = async () => {
      this.#events.lost(wasOpen ? 'The server is gone; trying again …' : await this.#reason());
      setTimeout(() => this.#open(), this.#retryMs);
      this.#retryMs = Math.min(this.#retryMs * 2, lastRetryMs);
    };
    this.#socket = socket;
  }

  #frame(bytes: Uint8Array): void {
    const frame = decodeFrame(bytes);
    if (frame.type === 'picture') this.#events.picture(frame);
    else this.#events.sound(frame);
  }

  /** A socket that was refused does not say why; the page's own address does. */
  async #reason(): Promise<string> {
    try {
      const { status } = await fetch(`/?token=${encodeURIComponent(this.#token)}`);
      if (status === 401) return 'This server has another token: open the address that it printed when it started.';
      return 'The server takes no more viewers; trying again …';
    } catch {
      return 'The server is gone; trying again …';
    }
  }
}
