import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Ended, endOf, type Sandbox } from './sandbox.ts';

export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A server gives every call up before that. */
const longestMs = 150_000;

const clientInfo = { name: 'raw', version: '1' };

/** What every request of the 2026-07-28 protocol carries. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The program on pipes, spoken to line by line: for what the official client would never send. */
export class RawStdio {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  readonly lines: string[] = [];
  #id = 0;
  readonly #waiting = new Set<(line: string) => void>();

  constructor(
    where: Sandbox | ChildProcessWithoutNullStreams,
    args: readonly string[] = [],
    env: Record<string, string> = {},
  ) {
    this.child = 'dir' in where ? where.spawn(args, { env }) : where;
    this.ended = endOf(this.child);
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.lines.push(line);
      for (const look of this.#waiting) look(line);
    });
  }

  get messages(): Message[] {
    return this.lines.map((line) => JSON.parse(line) as Message);
  }

  sendLine(line: string): void {
    this.child.stdin.write(`${line}\n`);
  }

  notify(method: string, params: Record<string, unknown> = {}): void {
    this.sendLine(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Sends a request and waits for the whole message that answers it. */
  request(method: string, params: Record<string, unknown> = {}): Promise<Message> {
    const id = ++this.#id;
    const answer = this.#next((message) => message.id === id && message.method === undefined);
    this.sendLine(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return answer;
  }

  /** The handshake of 2025-11-25. */
  async initialize(): Promise<Message> {
    const answer = await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    this.notify('notifications/initialized');
    return answer;
  }

  /** Calls a tool and gives the text of its answer. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const { result, error } = await this.request('tools/call', { name, arguments: args });
    if (error || !result) throw new Error(error?.message);
    const [first] = result.content as { text: string }[];
    return first?.text ?? '';
  }

  /** The first message of this sort, among those that came and those to come. */
  message(wanted: (message: Message) => boolean): Promise<Message> {
    const found = this.messages.find(wanted);
    return found ? Promise.resolve(found) : this.#next(wanted);
  }

  #next(wanted: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve, reject) => {
      const look = (line: string) => {
        const message = JSON.parse(line) as Message;
        if (!wanted(message)) return;
        end();
        resolve(message);
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(`not among ${this.lines.join('\n')}`));
      }, longestMs);
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(look);
      };
      this.#waiting.add(look);
    });
  }
}
