import type { ChildProcess } from 'node:child_process';
import type { ByteConnection, ConnectionEvents } from '../byte-link.ts';
import { signalGroup, signalGroupsBelow } from './process-group.ts';
import type { SocketConnection } from './socket-connection.ts';

/** Between TERM and KILL, and between the end of the output and TERM. */
const graceMs = 500;
/** A process that even KILL does not end at once waits for its disk: do not wait with it. */
const burialMs = 2000;

/** A running command, the leader of its own process group, with one socket as its input, output and errors. */
export class CommandConnection implements ByteConnection {
  readonly #pid: number;
  readonly #socket: SocketConnection;
  readonly #forget: (() => void) | undefined;
  /** Whether the end of the command is that of the console. */
  readonly #isFinal: boolean;
  #events: ConnectionEvents | undefined;
  /** How the command ended, in words, as soon as it has. */
  #ended: string | undefined;
  #socketClosed = false;
  #announced = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #closed: Promise<void>;
  #resolveClosed: () => void = () => {};

  constructor(
    child: ChildProcess,
    pid: number,
    socket: SocketConnection,
    forget: (() => void) | undefined,
    isFinal = true,
  ) {
    this.#pid = pid;
    this.#socket = socket;
    this.#forget = forget;
    this.#isFinal = isFinal;
    this.#closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    // A signal that could not be delivered is no reason to end ourselves.
    child.on('error', () => {});
    child.once('exit', (code, signal) => this.#exited(signal ? `was killed by ${signal}` : `ended with code ${code}`));
  }

  start(events: ConnectionEvents): void {
    this.#events = events;
    this.#socket.start({
      data: (bytes) => events.data(bytes),
      drain: () => events.drain(),
      close: () => this.#outputEnded(),
    });
  }

  write(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  get pendingBytes(): number {
    return this.#socket.pendingBytes;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  sendBreak(): Promise<void> {
    return this.#socket.sendBreak();
  }

  /** Ends the input, which ends most commands; TERM and then KILL end the others. */
  async end(drainMs: number): Promise<void> {
    this.#listenAtLast();
    this.#socket.endWriting();
    if (this.#ended === undefined) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#terminate(), drainMs);
    }
    await this.#closed;
  }

  destroy(): void {
    this.#listenAtLast();
    this.#kill();
    this.#socket.destroy();
  }

  /** A connection that is closed before anybody listened still has to see its socket close. */
  #listenAtLast(): void {
    if (!this.#events) this.start({ data: () => {}, drain: () => {}, close: () => {} });
  }

  #exited(how: string): void {
    this.#ended = how;
    clearTimeout(this.#timer);
    this.#clearRemains();
    if (this.#socketClosed) this.#announce();
    else this.#socket.closeWhenQuiet({ text: how, final: this.#isFinal });
  }

  /** What the command left in the background keeps the line open and has nobody to answer to. */
  #clearRemains(): void {
    if (!signalGroup(this.#pid, 'SIGTERM')) {
      this.#forget?.();
      return;
    }
    setTimeout(() => {
      signalGroup(this.#pid, 'SIGKILL');
      this.#forget?.();
    }, graceMs);
  }

  #outputEnded(): void {
    this.#socketClosed = true;
    if (this.#ended !== undefined) this.#announce();
    else this.#timer ??= setTimeout(() => this.#terminate(), graceMs);
  }

  #terminate(): void {
    // Whoever keeps a terminal for another program ends with it, and would leave it behind if it ended first.
    if (!signalGroupsBelow(this.#pid, 'SIGTERM')) signalGroup(this.#pid, 'SIGTERM');
    this.#timer = setTimeout(() => this.#kill(), graceMs);
  }

  #kill(): void {
    clearTimeout(this.#timer);
    // The number of a group whose leader has been seen to end may belong to somebody else by now.
    if (this.#ended !== undefined) return;
    signalGroupsBelow(this.#pid, 'SIGKILL');
    signalGroup(this.#pid, 'SIGKILL');
    this.#timer = setTimeout(() => {
      this.#ended ??= 'was killed and has not ended yet';
      this.#socket.destroy();
    }, burialMs);
  }

  #announce(): void {
    if (this.#announced) return;
    this.#announced = true;
    this.#events?.close({ text: `the command ${this.#ended}`, final: this.#isFinal });
    this.#resolveClosed();
  }
}
