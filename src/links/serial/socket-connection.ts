import type { IpcSocketConnectOpts, TcpSocketConnectOpts } from 'node:net';
import type { ByteConnection, ConnectionEvents } from '../byte-link.ts';
import { PeerWatch } from './peer-watch.ts';
import { closedHere, describeError } from './reasons.ts';
import { SerialSocket } from './serial-socket.ts';

/** After this silence the kernel asks the other side for a sign of life, once a second; ten unanswered are the end. */
const keepAliveDelayMs = 10_000;

type CloseReason = Parameters<ConnectionEvents['close']>[0];

/** Waiting bytes are counted to within this much. */
const pieceBytes = 64 * 1024;
/** A silence after which the other side has nothing to say to our end. */
const lingerMs = 50;
/** How long bytes may still leave after the other side said that it will send no more. */
const farewellMs = 1000;
/** A silence after which nothing more is expected from a side that takes no bytes any more. */
const quietMs = 200;

/** One connected stream socket, TCP or unix. */
export class SocketConnection implements ByteConnection {
  readonly #socket: SerialSocket;
  readonly #breakAdvice: string;
  #events: ConnectionEvents | undefined;
  #paused = false;
  #ending = false;
  #closed = false;
  #reason: CloseReason | undefined;
  #announced = false;
  /** What Node delivered although it was told to pause, which it does when that comes right after a resume. */
  readonly #held: Uint8Array[] = [];
  #receivedBytes = 0;
  #refusedBytes = 0;
  #wasPending = false;
  #takesBytes = true;
  #timers: NodeJS.Timeout[] = [];
  #peer: PeerWatch | undefined;

  private constructor(breakAdvice: string) {
    this.#breakAdvice = breakAdvice;
    this.#socket = new SerialSocket(
      (bytes) => this.#receive(bytes),
      (error) => this.#failWrites(error),
    );
    this.#socket.pause();
  }

  /** One attempt to connect; `breakAdvice` is what `sendBreak` rejects with. */
  static connect(
    where: TcpSocketConnectOpts | IpcSocketConnectOpts,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly breakAdvice: string },
  ): Promise<SocketConnection> {
    const { signal, timeoutMs } = options;
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new Error('the attempt to connect was cancelled'));
        return;
      }
      const connection = new SocketConnection(options.breakAdvice);
      const socket = connection.#socket;
      const settle = (error?: Error) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        socket.off('error', fail);
        if (error) {
          socket.on('error', () => {});
          socket.destroy();
          reject(error);
        } else {
          connection.#listen();
          if ('port' in where) connection.#watchPeer();
          resolve(connection);
        }
      };
      const fail = (error: Error) => settle(new Error(describeError(error), { cause: error }));
      const cancel = () => settle(new Error('the attempt to connect was cancelled'));
      const timer = setTimeout(() => settle(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
      signal.addEventListener('abort', cancel, { once: true });
      socket.once('error', fail);
      socket.once('connect', () => settle());
      socket.connect(where);
    });
  }

  start(events: ConnectionEvents): void {
    this.#events = events;
    if (this.#closed) queueMicrotask(() => this.#announceClose());
    else if (!this.#paused) this.resume();
  }

  write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (!this.#takesBytes || this.#ending || this.#socket.destroyed) {
      this.#refusedBytes += bytes.length;
      return;
    }
    const copy = Buffer.from(bytes);
    for (let at = 0; at < copy.length; at += pieceBytes) {
      this.#socket.write(copy.subarray(at, at + pieceBytes), () => this.#left());
    }
    this.#peer?.wrote();
    if (this.#socket.writableLength > 0) this.#wasPending = true;
  }

  get pendingBytes(): number {
    return this.#socket.unsentBytes + this.#refusedBytes;
  }

  pause(): void {
    this.#paused = true;
    if (!this.#ending) this.#socket.pause();
  }

  resume(): void {
    this.#paused = false;
    if (this.#held.length > 0) queueMicrotask(() => this.#releaseHeld());
    else if (this.#events && !this.#closed) this.#socket.resume();
  }

  sendBreak(): Promise<void> {
    return Promise.reject(new Error(this.#breakAdvice));
  }

  /**
   * Says that no more bytes will come from here, once all that were written have left. Reading goes on to the end;
   * what arrives while paused is dropped from now on.
   */
  endWriting(whenLeft?: () => void): void {
    this.#ending = true;
    this.#socket.resume();
    this.#socket.end(whenLeft);
  }

  async end(drainMs: number): Promise<void> {
    if (this.#closed) return;
    const closed = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()));
    this.#reason ??= closedHere;
    this.#destroyAfter(this.#takesBytes ? drainMs : 0);
    // Closing TCP with bytes unread makes the kernel send a reset, which can overtake what we wrote: linger, reading.
    this.endWriting(() => this.#destroyWhenQuiet(lingerMs));
    await closed;
  }

  destroy(): void {
    this.#reason ??= closedHere;
    this.#socket.destroy();
  }

  /** Closes when all that the other side has said is read, for when it cannot hear us any more. */
  closeWhenQuiet(reason: CloseReason): void {
    this.#reason ??= reason;
    this.#destroyWhenQuiet(quietMs);
  }

  #listen(): void {
    const socket = this.#socket;
    socket.on('error', (error) => {
      this.#reason ??= { text: describeError(error), final: false };
    });
    socket.on('end', () => {
      this.#reason ??= { text: 'the other side closed the connection', final: false };
      if (!this.#takesBytes || this.#socket.writableLength === 0) {
        socket.destroy();
        return;
      }
      socket.end(() => socket.destroy());
      this.#destroyAfter(farewellMs);
    });
    socket.on('close', () => {
      this.#closed = true;
      this.#peer?.stop();
      for (const timer of this.#timers) clearTimeout(timer);
      this.#announceClose();
    });
  }

  /** Options that `connect` would take and ignore on a socket that was made before. */
  #watchPeer(): void {
    const socket = this.#socket;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveDelayMs);
    this.#peer = new PeerWatch(socket, (bytes) => {
      this.#reason ??= { text: `the other side vanished; ${bytes} bytes were never acknowledged`, final: false };
      socket.destroy();
    });
  }

  /** Says whether more is wanted. */
  #receive(bytes: Uint8Array): boolean {
    this.#receivedBytes += bytes.length;
    if (this.#events && !this.#paused) this.#events.data(bytes);
    else if (!this.#ending) this.#held.push(Buffer.from(bytes));
    return this.#ending || !this.#paused;
  }

  #left(): void {
    if (!this.#wasPending || this.pendingBytes > 0) return;
    this.#wasPending = false;
    this.#events?.drain();
  }

  #releaseHeld(): void {
    while (this.#held.length > 0) {
      if (!this.#events || this.#paused) return;
      this.#events.data(this.#held.shift() ?? new Uint8Array());
    }
    if (this.#closed) this.#announceClose();
    else if (!this.#paused) this.#socket.resume();
  }

  #failWrites(error: Error): void {
    this.#takesBytes = false;
    this.closeWhenQuiet({ text: describeError(error), final: false });
  }

  /** Two looks are needed, so that a busy process has read what is there at least once in between. */
  #destroyWhenQuiet(silenceMs: number): void {
    if (this.#closed) return;
    let seenBytes = -1;
    const timer = setInterval(() => {
      if (seenBytes === this.#receivedBytes) this.#socket.destroy();
      const reading = this.#ending || (this.#events && !this.#paused);
      seenBytes = reading ? this.#receivedBytes : -1;
    }, silenceMs / 2);
    this.#timers.push(timer);
  }

  #destroyAfter(delayMs: number): void {
    if (!this.#closed) this.#timers.push(setTimeout(() => this.#socket.destroy(), delayMs));
  }

  #announceClose(): void {
    if (!this.#events || this.#announced || (this.#held.length > 0 && !this.#ending)) return;
    this.#announced = true;
    this.#events.close(this.#reason ?? { text: 'the connection was closed', final: false });
  }
}
