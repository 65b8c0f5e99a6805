import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { exitCodes } from '../exit-codes.ts';
import { type KeyCommand, keyHelp } from './command-keys.ts';
import { Input, type TypingSink } from './input.ts';
import { PersonChannel } from './person-channel.ts';
import { ReconnectingSocket } from './reconnecting-socket.ts';
import { type TerminalInput, TerminalMode, type TerminalOutput } from './terminal-mode.ts';

const signalNames = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
/** How long leaving may take while the person waits for it. */
const hurriedFlushMs = 1_000;
const pollMs = 20;

export interface SessionOptions {
  readonly spy: boolean;
  /** Leave when the connection is lost. */
  readonly once: boolean;
  readonly stdin: TerminalInput;
  readonly stdout: TerminalOutput;
  readonly stderr: Writable;
  /** For people. */
  readonly label: string;
  /** Under which name to type; a plain way in without. */
  readonly who?: { readonly name: string; readonly place?: string } | undefined;
  /** Where the console's sockets are now; rejects while it is not there. */
  readonly locate: () => Promise<ConsoleSockets>;
  /** Makes the filter that output goes through, one for each connection. */
  readonly filter: () => (bytes: Uint8Array) => Uint8Array;
  /** After the end of a pipe: how long the console must be silent, and how long we wait for that at most. */
  readonly quietMs: number;
  readonly drainLimitMs: number;
}

interface ConsoleSockets {
  readonly in: string;
  readonly out: string;
  /** Where people type under their names, if the server has that. */
  readonly people?: string | undefined;
}

/** One visit to a console, from the first connection to the restored terminal. */
export class Session {
  readonly #options: SessionOptions;
  readonly #mode: TerminalMode;
  readonly #input: Input;
  readonly #out: ReconnectingSocket;
  readonly #in: ReconnectingSocket | undefined;
  /** Sockets that are not connected. */
  readonly #down = new Set<'in' | 'out'>();
  #channel: PersonChannel | undefined;
  #everConnected = false;
  #leaving = false;
  #lostBytes = 0;
  #lastByteAt = 0;
  #giveUp: () => void = () => {};
  #resolve: (exitCode: number) => void = () => {};

  constructor(options: SessionOptions) {
    const { spy, stdin, stdout, locate } = options;
    this.#options = options;
    this.#mode = new TerminalMode(stdin, stdout);
    this.#input = new Input(stdin, spy, {
      leave: () => this.#leave(exitCodes.ok),
      command: (command) => this.#command(command),
      end: () => this.#inputEnded(),
    });
    this.#out = new ReconnectingSocket(async () => (await locate()).out, {
      open: (socket) => this.#outOpened(socket),
      lost: (reason) => {
        // The server is gone: what is sent on the other socket before that one notices would be lost.
        this.#lostBytes += this.#input.disconnect();
        this.#in?.socket?.destroy();
        this.#lost('out', reason);
      },
    });
    this.#down.add('out');
    // Who only watches is announced by name where that can be, and needs no way in.
    if (spy && !options.who) return;
    let typesByName = false;
    const way = async () => {
      const { people, in: input } = await locate();
      typesByName = options.who !== undefined && people !== undefined;
      return typesByName ? (people ?? input) : input;
    };
    this.#in = new ReconnectingSocket(way, {
      open: (socket) => {
        this.#input.connect(typesByName && options.who ? this.#byName(socket, options.who) : plainSink(socket));
        this.#opened('in');
      },
      lost: (reason) => {
        this.#lostBytes += this.#input.disconnect();
        this.#lost('in', reason);
      },
    });
    this.#down.add('in');
  }

  /** Resolves with the exit code once the terminal is as it was. */
  run(): Promise<number> {
    const { stdout, stderr } = this.#options;
    for (const signal of signalNames) process.on(signal, this.#onSignal);
    stdout.on('drain', this.#onDrain);
    stdout.on('error', this.#onOutputError);
    stderr.on('error', () => {});
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#out.start();
      this.#in?.start();
    });
  }

  #byName(socket: Socket, who: { readonly name: string; readonly place?: string }): PersonChannel {
    const channel = new PersonChannel(socket, { ...who, spy: this.#options.spy }, (text) => this.#say(text));
    this.#channel = channel;
    socket.on('close', () => {
      if (this.#channel === channel) this.#channel = undefined;
    });
    return channel;
  }

  #command(command: KeyCommand): void {
    if (command === 'leave') this.#leave(exitCodes.ok);
    else if (command === 'help' || command === 'unknown') this.#say(`Keys:\r\n${keyHelp}`);
    else if (this.#channel) this.#channel.ask(command);
    else this.#say('This server does not know that.');
  }

  #opened(side: 'in' | 'out'): void {
    this.#down.delete(side);
    if (this.#down.size > 0) return;
    if (this.#everConnected) {
      this.#say(`Connected to ${this.#options.label} again.`);
      return;
    }
    this.#everConnected = true;
    // First: who reads that they are connected may type at once.
    this.#mode.enter();
    if (this.#options.stdin.isTTY) {
      this.#say(
        `Connected to ${this.#options.label}${this.#options.spy ? ', only watching' : ''}. Ctrl-] leaves. ^Ec? lists other keys.`,
        '',
      );
    }
    this.#input.start();
  }

  #outOpened(socket: Socket): void {
    const { stdout } = this.#options;
    const filter = this.#options.filter();
    socket.on('data', (bytes) => {
      this.#lastByteAt = performance.now();
      if (!stdout.write(filter(bytes))) socket.pause();
    });
    this.#opened('out');
  }

  #lost(side: 'in' | 'out', reason: string): void {
    if (this.#leaving) return;
    const wasUp = this.#down.size === 0;
    this.#down.add(side);
    if (!this.#everConnected) {
      this.#say(`Cannot connect to ${this.#options.label}: ${reason}.`);
      this.#leave(exitCodes.failed);
    } else if (this.#options.once) {
      this.#say(`${this.#options.label} has gone: ${reason}.`);
      this.#leave(exitCodes.ok);
    } else if (wasUp) {
      const hint = this.#options.stdin.isTTY ? ' Ctrl-] leaves; what is typed meanwhile is not sent.' : '';
      this.#say(`Lost ${this.#options.label}: ${reason}. Trying to connect again.${hint}`);
    }
  }

  /** A terminal that ends is gone. A pipe that ends has said everything: its answer is still to come. */
  #inputEnded(): void {
    if (this.#options.stdin.isTTY) this.#leave(exitCodes.failed);
    else void this.#finishPipe();
  }

  async #finishPipe(): Promise<void> {
    const { quietMs, drainLimitMs, stdout } = this.#options;
    const deadline = performance.now() + drainLimitMs;
    const until = async (condition: () => boolean) => {
      while (!condition() && !this.#leaving && performance.now() < deadline) await delay(pollMs);
    };
    await until(() => this.#input.waitingBytes === 0);
    const missing = this.#lostBytes + this.#input.waitingBytes;
    this.#in?.stop();
    this.#in?.socket?.end();
    this.#lastByteAt = performance.now();
    await until(() => {
      const isQuiet = performance.now() - this.#lastByteAt >= quietMs;
      return (isQuiet || this.#down.has('out')) && stdout.writableLength === 0;
    });
    if (missing > 0) this.#say(`${missing} bytes of the input may not have reached ${this.#options.label}.`);
    this.#leave(missing > 0 ? exitCodes.failed : exitCodes.ok, Number.POSITIVE_INFINITY);
  }

  #leave(exitCode: number, flushMs = hurriedFlushMs): void {
    if (this.#leaving) return;
    this.#leaving = true;
    this.#input.stop();
    void this.#close(flushMs).then(() => {
      this.#mode.restore();
      for (const signal of signalNames) process.off(signal, this.#onSignal);
      this.#options.stdout.off('drain', this.#onDrain);
      if (this.#options.stdin.isTTY && this.#everConnected) this.#say(`Left ${this.#options.label}.`);
      this.#resolve(exitCode);
    });
  }

  /** Lets typed bytes and shown output leave, but not for ever: the other side may have stopped reading. */
  async #close(flushMs: number): Promise<void> {
    const { stdout } = this.#options;
    this.#out.destroy();
    this.#in?.stop();
    const input = this.#in?.socket;
    const flushed = [
      new Promise<void>((resolve) => (input ? input.end(resolve) : resolve())),
      new Promise<void>((resolve) => (stdout.writable ? stdout.write('', () => resolve()) : resolve())),
    ];
    const gaveUp = new Promise<void>((resolve) => {
      this.#giveUp = resolve;
    });
    const timer = Number.isFinite(flushMs) ? setTimeout(this.#giveUp, flushMs) : undefined;
    await Promise.race([Promise.all(flushed), gaveUp]);
    clearTimeout(timer);
    this.#in?.destroy();
  }

  #onSignal = (_: NodeJS.Signals, number: number): void => {
    if (this.#leaving) this.#giveUp();
    else this.#leave(128 + number);
  };

  #onDrain = (): void => {
    this.#lastByteAt = performance.now();
    this.#out.socket?.resume();
  };

  /** `attach … | head` closes the pipe when it has seen enough. */
  #onOutputError = (error: NodeJS.ErrnoException): void => {
    this.#leave(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.failed);
  };

  #say(text: string, before = this.#mode.isRaw ? '\r\n' : ''): void {
    this.#options.stderr.write(`${before}[frontpanel] ${text}${this.#mode.isRaw ? '\r\n' : '\n'}`);
  }
}

function plainSink(socket: Socket): TypingSink {
  socket.resume();
  return {
    get writableNeedDrain() {
      return socket.writableNeedDrain;
    },
    write: (bytes, sent) => void socket.write(bytes, sent),
    onDrain: (listener) => void socket.on('drain', listener),
  };
}
