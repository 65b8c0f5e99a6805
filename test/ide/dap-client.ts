import { connect } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { vi } from 'vitest';

export interface DapMessage {
  readonly type: string;
  readonly seq: number;
  readonly event?: string;
  readonly command?: string;
  readonly request_seq?: number;
  readonly success?: boolean;
  readonly message?: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are what the protocol says, and tests look at all of them
  readonly body?: any;
}

const patience = { timeout: 60_000, interval: 5 };

/** An IDE, message by message. */
export class DapClient {
  readonly messages: DapMessage[] = [];
  readonly #output: Writable;
  #held = Buffer.alloc(0);
  #seq = 1;
  #read = 0;

  static over(input: Readable, output: Writable): DapClient {
    return new DapClient(input, output);
  }

  static at(port: number): DapClient {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    return new DapClient(socket, socket);
  }

  private constructor(input: Readable, output: Writable) {
    this.#output = output;
    input.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  send(command: string, args: Record<string, unknown> = {}): number {
    const seq = this.#seq++;
    const body = Buffer.from(JSON.stringify({ seq, type: 'request', command, arguments: args }));
    this.#output.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.#output.write(body);
    return seq;
  }

  /** The body of the answer; rejects where the adapter refuses. */
  async ask(command: string, args: Record<string, unknown> = {}): Promise<DapMessage['body']> {
    const seq = this.send(command, args);
    const answer = await this.#find(({ type, request_seq }) => type === 'response' && request_seq === seq, 0);
    if (!answer.success) throw new Error(answer.message);
    return answer.body;
  }

  /** The next event of this name, none of which is seen twice. */
  async event(name: string): Promise<DapMessage['body']> {
    const found = await this.#find(({ event }) => event === name, this.#read);
    this.#read = this.messages.indexOf(found) + 1;
    return found.body;
  }

  async #find(wanted: (message: DapMessage) => boolean, from: number): Promise<DapMessage> {
    return vi.waitFor(() => {
      const found = this.messages.find((message, index) => index >= from && wanted(message));
      if (!found) throw new Error(`not among ${JSON.stringify(this.messages.slice(-8))}`);
      return found;
    }, patience);
  }

  #take(chunk: Buffer): void {
    this.#held = Buffer.concat([this.#held, chunk]);
    for (;;) {
      const end = this.#held.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/.exec(this.#held.toString('latin1', 0, Math.max(0, end)))?.[1]);
      if (end < 0 || this.#held.length < end + 4 + length) return;
      this.messages.push(JSON.parse(this.#held.toString('utf8', end + 4, end + 4 + length)));
      this.#held = this.#held.subarray(end + 4 + length);
    }
  }
}

/** What an IDE shows after opening something, by name. */
export async function opened(
  ide: DapClient,
  { variablesReference }: { readonly variablesReference: number },
): Promise<DapMessage['body']> {
  const { variables } = await ide.ask('variables', { variablesReference });
  return Object.fromEntries(variables.map((each: { readonly name: string }) => [each.name, each]));
}

/** The variables of a frame. */
export async function named(ide: DapClient, frameId: number): Promise<DapMessage['body']> {
  const { scopes } = await ide.ask('scopes', { frameId });
  return opened(
    ide,
    scopes.find((each: { readonly name: string }) => each.name === 'Locals'),
  );
}
