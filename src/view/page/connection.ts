import {
  longestMessage,
  type PageCommand,
  type PageEvent,
  type PageSound,
  tokenProtocol,
  viewProtocol,
} from '../channel.ts';
import { decodeFrame, type PictureBand } from '../frames.ts';
import { inflate } from './inflate.ts';
import { SignIn } from './sign-in.ts';

const firstRetryMs = 500;
const lastRetryMs = 5000;

export interface ConnectionEvents {
  opened(): void;
  event(event: PageEvent): void;
  /** `difference` is what the band holds. */
  band(band: PictureBand, difference: Uint8Array): void;
  sound(sound: PageSound): void;
  /** The server would close the connection for it: it was not sent. */
  tooLong(command: PageCommand): void;
  /** `tokenWanted`: why another token has to be given first. */
  lost(why: string, tokenWanted: string | undefined): void;
}

/** The socket to the server, opened again whenever it is lost. */
export class Connection {
  readonly #events: ConnectionEvents;
  readonly #signIn = new SignIn();
  #socket: WebSocket | undefined;
  #retryMs = firstRetryMs;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wasOpen = false;
  /**
   * One after the other, as they came: pictures and sound, and events, which do not wait for pictures. One that fails must
   * not keep the others from being heard.
   */
  #frames: Promise<void> = Promise.resolve();
  #told: Promise<void> = Promise.resolve();

  constructor(events: ConnectionEvents) {
    this.#events = events;
    this.#openNow();
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  send(command: PageCommand): void {
    if (!this.isOpen) return;
    const text = JSON.stringify(command);
    if (new TextEncoder().encode(text).length > longestMessage) this.#events.tooLong(command);
    else this.#socket?.send(text);
  }

  signIn(token: string): void {
    this.#signIn.give(token);
    this.#openNow();
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
    else this.#lost(status === undefined ? gone : `The server answered ${status}; retrying …`);
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
      this.#lost('This server requires a token.', '');
    } else if (this.#wasOpen) {
      this.#lost(
        'This server has a new token: open the address it printed when it started.',
        'The server has a new token since it was restarted.',
      );
    } else {
      this.#lost('This server requires a different token.', 'This server does not accept that token.');
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
      this.#events.opened();
    };
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) this.#frame(new Uint8Array(data));
      else this.#tell(async () => data);
    };
    socket.onclose = () => this.#lost(isWelcome ? gone : 'The server has its maximum number of viewers; retrying …');
    this.#socket = socket;
  }

  #lost(why: string, tokenWanted?: string): void {
    this.#events.lost(why, tokenWanted);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#open(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, lastRetryMs);
  }

  #frame(bytes: Uint8Array): void {
    const { seq, frame } = decodeFrame(bytes);
    const done = () => this.send({ type: 'ack', seq });
    if (frame.type === 'event') {
      this.#tell(async () => new TextDecoder().decode(await inflate(frame.deflated)), done);
      return;
    }
    this.#frames = this.#frames
      .then(async () => {
        if (frame.type === 'sound') this.#events.sound(frame);
        else this.#events.band(frame, frame.deflated.length > 0 ? await inflate(frame.deflated) : frame.deflated);
      })
      .catch(reportError)
      .finally(done);
  }

  #tell(read: () => Promise<string>, done = () => {}): void {
    this.#told = this.#told
      .then(async () => this.#events.event(JSON.parse(await read())))
      .catch(reportError)
      .finally(done);
  }
}

const gone = 'The connection to the server is lost; retrying …';

function base64url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
