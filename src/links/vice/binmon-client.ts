import type { Socket } from 'node:net';
import { lowerHex } from '../../formats/hex.ts';
import { type BinmonMessage, BinmonReader } from './binmon-reader.ts';
import { connectTcp } from './connect-tcp.ts';
import { MonitorError } from './monitor-error.ts';
import { apiVersion, encodeCommand, oldestApiVersion } from './wire.ts';

const answerMs = 20_000;
const none = new Uint8Array();

export type BinmonCommand = readonly [type: number, body?: Uint8Array | readonly number[]];

interface Waiting {
  resolve(body: Buffer): void;
  reject(error: MonitorError): void;
}

/** VICE's binary monitor (versions 1 and 2), from the side that asks. */
export class BinmonClient {
  readonly #socket: Socket;
  readonly #reader = new BinmonReader();
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<(type: number, body: Buffer) => void>();
  #onClose: ((reason: string) => void) | undefined;
  #lastId = 0;
  #version = oldestApiVersion;
  #over: string | undefined;

  static async open(host: string, port: number, signal: AbortSignal): Promise<BinmonClient> {
    return new BinmonClient(await connectTcp(host, port, signal));
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#end(error.message));
    socket.on('close', () => this.#end('VICE has closed the connection'));
  }

  /** Of the protocol, as the first answer has told: the first question is one of the oldest. */
  get version(): number {
    return this.#version;
  }

  /** What VICE says without being asked. */
  onEvent(listener: (type: number, body: Buffer) => void): void {
    this.#listeners.add(listener);
  }

  onClose(listener: (reason: string) => void): void {
    this.#onClose = listener;
    if (this.#over !== undefined) listener(this.#over);
  }

  get isOpen(): boolean {
    return this.#over === undefined;
  }

  ask(type: number, body: Uint8Array | readonly number[] = none, timeoutMs = answerMs): Promise<Buffer> {
    return this.#send([[type, body]], timeoutMs);
  }

  /** Several in one piece, so that VICE finds the next one as soon as it looks; resolves to the answer to the last. */
  askTogether(commands: readonly BinmonCommand[], timeoutMs = answerMs): Promise<Buffer> {
    return this.#send(commands, timeoutMs);
  }

  close(reason = 'the connection was closed'): void {
    this.#end(reason);
  }

  async #send(commands: readonly BinmonCommand[], timeoutMs: number): Promise<Buffer> {
    if (this.#over !== undefined) throw new MonitorError('closed', this.#over);
    const first = this.#lastId + 1;
    this.#lastId += commands.length;
    const bytes = commands.map(([type, body = none], index) =>
      encodeCommand(type, first + index, Buffer.from(body), this.#version),
    );
    const last = this.#lastId;
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<Buffer>((resolve, reject) => {
      this.#waiting.set(last, { resolve, reject });
      timer = setTimeout(() => {
        this.#waiting.delete(last);
        reject(new MonitorError('timeout', `VICE did not answer within ${timeoutMs} ms`));
      }, timeoutMs);
    });
    this.#socket.write(Buffer.concat(bytes));
    return answer.finally(() => clearTimeout(timer));
  }

  #take(chunk: Buffer): void {
    try {
      for (const message of this.#reader.push(chunk)) this.#handle(message);
    } catch (error) {
      this.#end(error instanceof Error ? error.message : String(error));
    }
  }

  #handle({ version, type, error, request, body }: BinmonMessage): void {
    this.#version = Math.max(oldestApiVersion, Math.min(apiVersion, version));
    if (request === undefined) {
      for (const listener of this.#listeners) listener(type, body);
      return;
    }
    const waiting = this.#waiting.get(request);
    this.#waiting.delete(request);
    if (error === 0) waiting?.resolve(body);
    else waiting?.reject(new MonitorError('refused', `error ${lowerHex(error, 2)}`, error));
  }

  #end(reason: string): void {
    if (this.#over !== undefined) return;
    this.#over = reason;
    this.#socket.destroy();
    for (const { reject } of this.#waiting.values()) reject(new MonitorError('closed', reason));
    this.#waiting.clear();
    this.#onClose?.(reason);
  }
}
