import type { Socket } from 'node:net';
import { LineSplitter } from '../qmp/line-splitter.ts';
import { parseQmpMessage } from '../qmp/qmp-message.ts';
import { type ConnectOptions, connectUnixSocket } from '../unix-socket.ts';

/** What a guest sends in one line is parsed in one piece. */
const maxLineBytes = 4 * 1024 * 1024;
/** Cuts off whatever half a command the agent has in its hands. */
const delimiter = 0xff;
const syncMs = 10_000;

export type AgentFailure = 'refused' | 'closed' | 'timeout' | 'protocol';

export class GuestAgentError extends Error {
  override readonly name = 'GuestAgentError';
  readonly failure: AgentFailure;

  constructor(failure: AgentFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

type Answer = { readonly return: unknown } | { readonly error: string };

/** The protocol of qemu-ga: one command at a time, whose answer may come late or never. */
export class GuestAgentLink {
  readonly #socket: Socket;
  #lines = new LineSplitter(maxLineBytes);
  #take: ((line: string) => void) | undefined;
  #fail: ((error: GuestAgentError) => void) | undefined;
  #closed: GuestAgentError | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #syncs = 0;
  /** What was asked last has not been answered: before anything else its answer must be told from the next one. */
  #unsettled = true;

  static async connect(path: string, options: ConnectOptions): Promise<GuestAgentLink> {
    return new GuestAgentLink(await connectUnixSocket(path, options));
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('error', (error) => this.#end(error.message));
    socket.on('close', () => this.#end('QEMU closed the connection'));
  }

  close(): void {
    this.#socket.destroy();
  }

  /** The answer to one command; those of several callers are carried out one after the other. */
  execute(command: string, args: Readonly<Record<string, unknown>>, timeoutMs: number): Promise<unknown> {
    const turn = this.#last.then(() => this.#carryOut(command, args, timeoutMs));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #carryOut(command: string, args: Readonly<Record<string, unknown>>, timeoutMs: number): Promise<unknown> {
    if (this.#unsettled) await this.#synchronise(Math.min(timeoutMs, syncMs));
    const reply = await this.#ask({ execute: command, arguments: args }, timeoutMs, () => true);
    if ('error' in reply) throw new GuestAgentError('refused', reply.error.slice(0, 1000));
    return reply.return;
  }

  /** Lets old answers go by until the agent says the number that it was just given. */
  async #synchronise(timeoutMs: number): Promise<void> {
    const id = ++this.#syncs;
    this.#socket.write(Buffer.of(delimiter));
    const asked = { execute: 'guest-sync-delimited', arguments: { id } };
    await this.#ask(asked, timeoutMs, (reply) => 'return' in reply && reply.return === id);
    this.#unsettled = false;
  }

  #ask(message: unknown, timeoutMs: number, isIt: (reply: Answer) => boolean): Promise<Answer> {
    if (this.#closed) return Promise.reject(this.#closed);
    this.#unsettled = true;
    return new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(
        () => settle(() => reject(new GuestAgentError('timeout', 'it did not answer in time'))),
        timeoutMs,
      );
      const settle = (then: () => void) => {
        clearTimeout(timer);
        this.#take = undefined;
        this.#fail = undefined;
        then();
      };
      this.#take = (line) => {
        const reply = parsed(line);
        if (!reply || !isIt(reply)) return;
        this.#unsettled = false;
        settle(() => resolve(reply));
      };
      this.#fail = (error) => settle(() => reject(error));
      this.#socket.write(`${JSON.stringify(message)}\n`);
    });
  }

  #receive(bytes: Buffer): void {
    try {
      for (const line of this.#lines.push(bytes)) this.#take?.(line.slice(line.lastIndexOf('\ufffd') + 1));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#lines = new LineSplitter(maxLineBytes);
      this.#fail?.(new GuestAgentError('protocol', `it answered with too much: ${error.message}`));
    }
  }

  #end(why: string): void {
    this.#closed ??= new GuestAgentError('closed', why);
    this.#fail?.(this.#closed);
  }
}

/** A line of the guest's, if it is an answer at all. Throws a `RangeError` about one with too much in it. */
function parsed(line: string): Answer | undefined {
  try {
    const message = parseQmpMessage(line);
    if (message?.type === 'reply') return { return: message.value };
    return message?.type === 'error' ? { error: message.description } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
