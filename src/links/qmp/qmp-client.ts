import type { Socket } from 'node:net';
import { type ConnectOptions, connectUnixSocket } from '../unix-socket.ts';
import { LineSplitter } from './line-splitter.ts';
import { QmpError } from './qmp-error.ts';
import { parseQmpMessage, type QmpEvent, type QmpMessage, type QmpVersion } from './qmp-message.ts';

/** The longest line QEMU sends is its own schema, about 200 KB; listings of HMP can be longer. */
const maxLineBytes = 8 * 1024 * 1024;
const maxPending = 256;
const defaultTimeoutMs = 20_000;
const greetingId = 0;

interface Pending {
  readonly command: string;
  resolve(value: unknown): void;
  reject(error: QmpError): void;
}

/** QEMU's machine protocol: commands in, their answers and events out. */
export class QmpClient {
  readonly #socket: Socket;
  readonly #pending = new Map<number, Pending>();
  readonly #eventListeners = new Set<(event: QmpEvent) => void>();
  readonly #closeListeners = new Set<(reason: QmpError) => void>();
  #version: QmpVersion = { major: 0, minor: 0, micro: 0 };
  #lastId = greetingId;
  #closed: QmpError | undefined;

  static async connect(path: string, options: ConnectOptions): Promise<QmpClient> {
    const end = performance.now() + options.timeoutMs;
    const left = () => Math.max(1, Math.ceil(end - performance.now()));
    const client = new QmpClient(await connectUnixSocket(path, options));
    const cancel = () => client.#end(new QmpError('closed', 'the attempt to connect was cancelled'));
    options.signal?.addEventListener('abort', cancel, { once: true });
    try {
      options.signal?.throwIfAborted();
      await client.#answer(greetingId, 'the greeting', left());
      await client.execute('qmp_capabilities', {}, { timeoutMs: left() });
      return client;
    } catch (error) {
      client.close();
      throw error;
    } finally {
      options.signal?.removeEventListener('abort', cancel);
    }
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    const lines = new LineSplitter(maxLineBytes);
    socket.on('data', (chunk: Uint8Array) => this.#receive(lines, chunk));
    socket.on('error', (error) => this.#end(new QmpError('closed', error.message)));
    socket.on('close', () => this.#end(new QmpError('closed', 'QEMU closed the connection')));
  }

  get version(): QmpVersion {
    return this.#version;
  }

  get closed(): boolean {
    return this.#closed !== undefined;
  }

  /** The answer to one command. Several may be under way; QEMU works through them in their order. */
  execute(
    command: string,
    args: Readonly<Record<string, unknown>> = {},
    { timeoutMs = defaultTimeoutMs }: { readonly timeoutMs?: number | undefined } = {},
  ): Promise<unknown> {
    if (this.#closed) return Promise.reject(this.#closed);
    if (this.#pending.size >= maxPending) {
      return Promise.reject(new QmpError('timeout', `${maxPending} commands already wait for their answers`));
    }
    const id = ++this.#lastId;
    const answer = this.#answer(id, command, timeoutMs);
    this.#socket.resume();
    this.#socket.write(`${JSON.stringify({ execute: command, arguments: args, id })}\n`);
    return answer;
  }

  /** A line of the human monitor; its answer is text, also when it failed. */
  async hmp(
    line: string,
    { cpuIndex, timeoutMs }: { readonly cpuIndex?: number | undefined; readonly timeoutMs?: number | undefined } = {},
  ): Promise<string> {
    const args = { 'command-line': line, ...(cpuIndex === undefined ? {} : { 'cpu-index': cpuIndex }) };
    const answer = await this.execute('human-monitor-command', args, { timeoutMs });
    return typeof answer === 'string' ? answer.replaceAll('\r\n', '\n') : '';
  }

  /**
   * While this goes on, events may come late, all at once: those who set the machine going thousands of times a second
   * need not hear of each. A command that somebody gives meanwhile is answered as always.
   */
  async withLateEvents<T>(action: () => Promise<T>): Promise<T> {
    if (this.#pending.size === 0) this.#socket.pause();
    try {
      return await action();
    } finally {
      this.#socket.resume();
    }
  }

  /** Calls back with each event until the answer is called. */
  onEvent(listener: (event: QmpEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** Calls back once, at once if it is over already. */
  onClose(listener: (reason: QmpError) => void): () => void {
    if (this.#closed) {
      const reason = this.#closed;
      queueMicrotask(() => listener(reason));
      return () => {};
    }
    this.#closeListeners.add(listener);
    return () => this.#closeListeners.delete(listener);
  }

  close(): void {
    this.#end(new QmpError('closed', 'the connection to QEMU was closed here'));
  }

  #receive(lines: LineSplitter, chunk: Uint8Array): void {
    const messages: (QmpMessage | undefined)[] = [];
    let failure: QmpError | undefined;
    try {
      for (const line of lines.push(chunk)) if (line.trim() !== '') messages.push(parseQmpMessage(line));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failure = new QmpError('protocol', `QEMU sent what is not QMP: ${reason.slice(0, 200)}`);
    }
    for (const message of messages) if (!this.#closed) this.#take(message);
    if (failure) this.#end(failure);
  }

  #take(message: QmpMessage | undefined): void {
    if (message?.type === 'event') {
      for (const listener of [...this.#eventListeners]) listener(message.event);
    } else if (message?.type === 'greeting') {
      this.#version = message.version;
      this.#pending.get(greetingId)?.resolve(undefined);
    } else if (message?.type === 'reply') {
      this.#pending.get(message.id ?? Number.NaN)?.resolve(message.value);
    } else if (message?.type === 'error') {
      // An answer without an id is about a line QEMU could not read: the oldest of those that wait.
      const pending = this.#pending.get(message.id ?? this.#pending.keys().next().value ?? Number.NaN);
      pending?.reject(new QmpError('refused', message.description, message.errorClass));
    }
  }

  #answer(id: number, command: string, timeoutMs: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const settle = <T>(action: (value: T) => void) => {
        return (value: T) => {
          clearTimeout(timer);
          this.#pending.delete(id);
          action(value);
        };
      };
      const pending: Pending = { command, resolve: settle(resolve), reject: settle(reject) };
      const late = `${command} did not come within ${timeoutMs} ms`;
      const timer = setTimeout(() => pending.reject(new QmpError('timeout', late)), timeoutMs);
      this.#pending.set(id, pending);
    });
  }

  #end(reason: QmpError): void {
    if (this.#closed) return;
    this.#closed = reason;
    this.#socket.destroy();
    for (const pending of [...this.#pending.values()]) {
      pending.reject(new QmpError(reason.failure, `${pending.command}: ${reason.message}`));
    }
    for (const listener of [...this.#closeListeners]) listener(reason);
    this.#closeListeners.clear();
    this.#eventListeners.clear();
  }
}
