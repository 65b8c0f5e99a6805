import {
  decodeFrame,
  type PageCommand,
  type PageEvent,
  type PagePicture,
  type PageSound,
  tokenProtocol,
  viewProtocol,
} from '../channel.ts';
import { SignIn } from './sign-in.ts';

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
  readonly #signIn = new SignIn(() => this.#openNow());
  #socket: WebSocket | undefined;
  #retryMs = firstRetryMs;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wasOpen = false;

  constructor(events: ConnectionEvents) {
    this.#events = events;
    this.#openNow();
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  send(command: PageCommand): void {
    if (this.isOpen) this.#socket?.send(JSON.stringify(command));
  }

  #openNow(): void {
    clearTimeout(this.#timer);
    this.#retryMs = firstRetryMs;
    void this.#open();
  }

  /** A socket that is refused does not say why, so the server is asked first. */
  async #open(): Promise<void> {
    const { token } = this.#signIn;
    const status = await this.#ask(token);
    if (token !== this.#signIn.token) return;
    if (status === 200) this.#connect(token);
    else if (status === 401) this.#askForToken(token);
    else this.#lost(status === undefined ? gone : `The server answers ${status}; trying again …`);
  }

  async #ask(token: string): Promise<number | undefined> {
    try {
      return (await fetch('/session', { headers: token === '' ? {} : { authorization: `Bearer ${token}` } })).status;
    } catch {
      return undefined;
    }
  }

  #askForToken(token: string): void {
    if (token === '') {
      this.#signIn.ask('');
      this.#lost('This server wants a token.');
    } else if (this.#wasOpen) {
      this.#signIn.ask('This server has another token than the one before it.');
      this.#lost('This server has another token: open the address that it printed when it started.');
    } else {
      this.#signIn.ask('That is not a token of this server.');
      this.#lost('This server wants another token.');
    }
  }

  #connect(token: string): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const protocols = [viewProtocol, ...(token === '' ? [] : [tokenProtocol + base64url(token)])];
    const socket = new WebSocket(`${scheme}://${location.host}/view`, protocols);
    let isWelcome = false;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      isWelcome = true;
      this.#wasOpen = true;
      this.#retryMs = firstRetryMs;
      this.#signIn.done();
      this.#events.opened();
    };
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) this.#frame(new Uint8Array(data));
      else this.#events.event(JSON.parse(data));
    };
    socket.onclose = () => this.#lost(isWelcome ? gone : 'The server takes no more viewers; trying again …');
    this.#socket = socket;
  }

  #lost(why: string): void {
    this.#events.lost(why);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#open(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, lastRetryMs);
  }

  #frame(bytes: Uint8Array): void {
    const frame = decodeFrame(bytes);
    if (frame.type === 'picture') this.#events.picture(frame);
    else this.#events.sound(frame);
  }
}

const gone = 'The server is gone; trying again …';

function base64url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
