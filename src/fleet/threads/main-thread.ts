import { type DebugPort, type DebugPorts, type DebugProtocol, debugProtocols } from '../../api/debug-ports.ts';
import type { TeamFiles } from '../../machine/files.ts';
import type { ClaimedMachine, NameClaims } from '../../rack/rack.ts';
import { Inbox } from '../gateway/inbox.ts';
import type { Message } from '../wire/message.ts';
import { errorFrom } from '../wire/outcome-data.ts';
import type { Wire } from '../wire/wire.ts';

/** Where threads ask and tell the one that serves, and where that tells them to end. */
export const mainSubjects = { ask: 'fp.main.ask', tell: 'fp.main.tell', close: 'fp.main.close' } as const;

/** A name may have to be asked for where a whole fleet finds it. */
const longestMs = 50_000;

/** What there is once in a process, for the machines of a thread: names, ports for debuggers, files and logs. */
export class MainThread implements NameClaims, DebugPorts, TeamFiles {
  readonly #wire: Wire;
  readonly #inbox: Inbox;
  readonly #host: string;

  constructor(wire: Wire, host: string) {
    this.#wire = wire;
    this.#inbox = new Inbox(wire);
    this.#host = host;
  }

  async take(machine: ClaimedMachine): Promise<string> {
    return String((await this.#ask('take', { machine })).head.name);
  }

  async claim(name: string, machine: ClaimedMachine): Promise<void> {
    await this.#ask('claim', { name, machine });
  }

  async release(name: string): Promise<void> {
    await this.#ask('release', { name });
  }

  async page(): Promise<string | undefined> {
    const { page } = (await this.#ask('page', {})).head;
    return typeof page === 'string' ? page : undefined;
  }

  async open(machine: string, protocol: DebugProtocol, port: number): Promise<DebugPort> {
    return portFrom((await this.#ask('open port', { machine, protocol, port })).head.port);
  }

  async close(machine: string, protocol: DebugProtocol): Promise<void> {
    await this.#ask('close port', { machine, protocol });
  }

  async list(machine: string): Promise<readonly DebugPort[]> {
    const { ports } = (await this.#ask('ports', { machine })).head;
    return Array.isArray(ports) ? ports.map(portFrom) : [];
  }

  /** A file that a person has dropped onto the page. */
  async dropped(path: string): Promise<Uint8Array> {
    return (await this.#ask('dropped', { path })).body;
  }

  async readStored(name: string): Promise<Uint8Array> {
    return (await this.#ask('read stored', { name })).body;
  }

  async store(name: string, bytes: Uint8Array): Promise<void> {
    await this.#ask('store', { name }, bytes);
  }

  /** A line of the log, or of what is written down of what people do. */
  tell(what: 'log' | 'journal' | 'audit', line: string, level?: string): void {
    this.#wire.publish(mainSubjects.tell, { what, line, level });
  }

  async #ask(what: string, of: Readonly<Record<string, unknown>>, body?: Uint8Array): Promise<Message> {
    const message = await this.#inbox.request(mainSubjects.ask, { what, of, host: this.#host }, longestMs, body);
    if (message.head.error !== undefined) throw errorFrom(message.head.error);
    return message;
  }
}

function portFrom(data: unknown): DebugPort {
  const { protocol, port, clients } = Object(data) as Record<string, unknown>;
  const known = debugProtocols.find((each) => each === protocol) ?? 'gdb';
  return { protocol: known, port: Number(port), clients: Number(clients) };
}
