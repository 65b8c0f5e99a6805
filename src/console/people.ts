import type { Socket } from 'node:net';
import type { ConsolePort, Visitor } from '../machine/console.ts';
import { MachineError } from '../machine/errors.ts';
import type { HumanInput } from './human-input.ts';
import { describe, type LineAccess } from './line-access.ts';
import { type FromPerson, fromPerson, JsonLines, type PersonRequest, type ToPerson } from './person-protocol.ts';

const helloMs = 10_000;
const breakMs = 300;
const maxNameChars = 64;

export interface PeopleOptions {
  readonly access: LineAccess;
  readonly input: HumanInput;
  /** For what is more than typing. */
  port(): Pick<ConsolePort, 'as'>;
}

/** People at their terminals, by name: what they type, what they ask for, and what they are told. */
export class People {
  readonly #options: PeopleOptions;
  readonly #sockets = new Set<Socket>();
  #last = 0;

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  add(socket: Socket): void {
    this.#sockets.add(socket);
    let person: Person | undefined;
    const timer = setTimeout(() => socket.destroy(), helloMs).unref();
    const lines = new JsonLines((message) => {
      const said = fromPerson(message);
      if (person && said) person.hear(said);
      else if (said && 'hello' in said) {
        clearTimeout(timer);
        person = new Person(socket, this.#visitor(said.hello), said.hello.spy, this.#options);
      } else socket.destroy();
    });
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.on('data', (text) => {
      if (!lines.push(String(text))) socket.destroy();
    });
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      clearTimeout(timer);
      this.#sockets.delete(socket);
      person?.leave();
    });
  }

  /** Shows something to everybody who is on. */
  tell(text: string): void {
    for (const socket of this.#sockets) say(socket, text);
  }

  close(): void {
    for (const socket of this.#sockets) socket.end();
    for (const socket of this.#sockets) socket.destroySoon();
  }

  #visitor({ name, place }: { readonly name: string; readonly place?: string }): Visitor {
    const where = place === undefined ? '' : ` on ${place}`;
    return { id: `person-${++this.#last}`, name: plainName(`${name}${where}`), kind: 'person' };
  }
}

class Person {
  readonly #socket: Socket;
  readonly #visitor: Visitor;
  readonly #options: PeopleOptions;
  readonly leave: () => void;
  #spying: boolean;
  #toldNoWriting = false;

  constructor(socket: Socket, visitor: Visitor, spying: boolean, options: PeopleOptions) {
    this.#socket = socket;
    this.#visitor = visitor;
    this.#spying = spying;
    this.#options = options;
    this.leave = options.access.arrive(visitor, spying);
    const { writer } = options.access;
    if (writer && !spying)
      this.#say(`${describe(writer)} has the line; what you type is not sent. ^Ecf takes it over.`);
  }

  hear(message: FromPerson): void {
    if ('type' in message) this.#type(Buffer.from(message.type, 'base64'));
    else if ('do' in message) void this.#perform(message.do);
  }

  #type(bytes: Buffer): void {
    const { access, input } = this.#options;
    if (this.#spying || bytes.length === 0) return;
    if (access.mayWrite(this.#visitor)) {
      this.#toldNoWriting = false;
      access.wrote(this.#visitor);
      input.type(this.#socket, bytes);
      return;
    }
    const { writer } = access;
    if (!this.#toldNoWriting && writer) this.#say(`not sent: ${describe(writer)} has the line. ^Ecf takes it over.`);
    this.#toldNoWriting = true;
  }

  async #perform(request: PersonRequest): Promise<void> {
    const { access } = this.#options;
    try {
      if (request === 'who') this.#say(this.#who());
      else if (request === 'break') {
        await this.#options.port().as(this.#visitor).sendBreak(breakMs);
        this.#say(`sent a BREAK of ${breakMs} ms`);
      } else if (request === 'release') {
        if (!access.release(this.#visitor)) this.#say('you did not have the line');
      } else {
        this.#spying = false;
        access.claim(this.#visitor, request === 'force');
      }
    } catch (error) {
      if (!(error instanceof MachineError)) throw error;
      const advice = error.type === 'BUSY' ? '^Ecf takes it over.' : error.fix;
      this.#say(`${error.message} ${advice}`);
    }
  }

  #who(): string {
    const { present, writer } = this.#options.access;
    const others = present.map((each) => {
      const marks = [
        each.id === this.#visitor.id ? 'you' : undefined,
        each.spying ? 'watching' : undefined,
        each.id === writer?.id ? 'has the line' : undefined,
      ].filter((mark) => mark !== undefined);
      return `${describe(each)}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`;
    });
    return `on this console: ${others.join('; ')}`;
  }

  #say(text: string): void {
    say(this.#socket, text);
  }
}

function say(socket: Socket, text: string): void {
  // Who does not read is not told more than fits.
  if (socket.writable && !socket.writableNeedDrain)
    socket.write(`${JSON.stringify({ say: text } satisfies ToPerson)}\n`);
}

/** Names are shown to others and written into logs. */
function plainName(name: string): string {
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, '');
  return [...plain].slice(0, maxNameChars).join('') || 'somebody';
}
