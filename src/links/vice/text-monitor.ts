import type { Socket } from 'node:net';
import { connectTcp } from './connect-tcp.ts';
import { MonitorError } from './monitor-error.ts';

const answerMs = 20_000;
/** More is not kept, and not waited for. */
const mostBytes = 1024 * 1024;
/** What the stopwatch answers, and the prompt that ends every answer. */
const time = /Stopwatch:\s+(\d+)\r?\n\([A-Z0-9]+:\$[0-9a-f]+\) $/i;
const prompt = /\([A-Z0-9]+:\$[0-9a-f]+\) $/i;
const prompts = /^(?:\([A-Z0-9]+:\$[0-9a-f]+\) )+/gim;

/** The monitor that people type to. It answers while the machine is stopped, whoever has stopped it. */
export class TextMonitor {
  readonly #socket: Socket;
  #received = '';
  #last: Promise<unknown> = Promise.resolve();
  #arrived: (() => void) | undefined;
  #over: string | undefined;

  static async open(host: string, port: number, signal: AbortSignal): Promise<TextMonitor> {
    return new TextMonitor(await connectTcp(host, port, signal));
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#received = (this.#received + text).slice(-mostBytes);
      this.#arrived?.();
    });
    socket.on('error', (error) => this.#end(error.message));
    socket.on('close', () => this.#end('VICE has closed its monitor'));
  }

  /** Cycles since power-up. */
  cycles(): Promise<number> {
    return this.#inTurn(() => this.#cycles());
  }

  /**
   * What VICE answers to a line. Each is sent when the last has been answered: VICE overlooks a second one that is there
   * already. The stopwatch before it makes sure that no prompt of an earlier stop is taken for the end.
   */
  ask(line: string): Promise<string> {
    return this.#inTurn(async () => {
      await this.#cycles();
      const [answer] = await this.#exchange(line, prompt);
      return answer.replaceAll('\r', '').replaceAll(prompts, '').trimEnd();
    });
  }

  close(): void {
    this.#end('the connection was closed');
  }

  /** Says that nobody will ask any more; `isOver` once VICE has seen that. */
  leave(): void {
    this.#socket.end();
  }

  get isOver(): boolean {
    return this.#over !== undefined;
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const answer = this.#last.then(task);
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #cycles(): Promise<number> {
    const [, cycles] = await this.#exchange('sw', time);
    return Number(cycles);
  }

  /** Sends a line; resolves to what came up to the end of its answer, with what the pattern has found there. */
  async #exchange(line: string, end: RegExp): Promise<[string, ...string[]]> {
    this.#received = '';
    this.#socket.write(`${line}\n`);
    const deadline = performance.now() + answerMs;
    for (;;) {
      if (this.#over !== undefined) throw new MonitorError('closed', this.#over);
      const found = end.exec(this.#received);
      if (found) return [this.#received.slice(0, found.index), ...found.slice(1)];
      const left = deadline - performance.now();
      if (left <= 0) {
        // Its answer may still come, and would be taken for another's.
        this.#end('it did not answer in time');
        throw new MonitorError('timeout', `VICE's monitor did not answer within ${answerMs} ms`);
      }
      await this.#more(left);
    }
  }

  #more(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      this.#arrived = done;
      function done() {
        clearTimeout(timer);
        resolve();
      }
    });
  }

  #end(reason: string): void {
    this.#over ??= reason;
    this.#socket.destroy();
    this.#arrived?.();
  }
}
