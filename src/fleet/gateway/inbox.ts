import { randomBytes } from 'node:crypto';
import type { Message } from '../wire/message.ts';
import { subjects } from '../wire/subjects.ts';
import type { Wire } from '../wire/wire.ts';

interface Waiting {
  answer(message: Message): void;
  nobody(): void;
}

/** Nobody listens where something was asked: the host is not connected. */
export class NobodyThere extends Error {
  override readonly name = 'NobodyThere';
}

/** Whoever was asked has not answered in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Where answers to this gateway arrive, each at an address of its own. */
export class Inbox {
  /** Of this gateway, in what it says. */
  readonly id = randomBytes(6).toString('hex');
  readonly #line: Wire;
  readonly #prefix: string;
  readonly #waiting = new Map<string, Waiting>();
  readonly #unsubscribe: () => void;

  /** `prefix` is where answers come, for who may not listen where those to gateways do. */
  constructor(line: Wire, prefix?: string) {
    this.#line = line;
    this.#prefix = prefix === undefined ? subjects.answers(this.id) : `${prefix}.${this.id}`;
    const waiting = (subject: string) => this.#waiting.get(subject.slice(this.#prefix.length + 1));
    this.#unsubscribe = line.subscribe(
      `${this.#prefix}.*`,
      (message, _, subject) => waiting(subject)?.answer(message),
      (subject) => waiting(subject)?.nobody(),
    );
  }

  /** An address; what comes there until it is closed goes to these. */
  open(id: string, waiting: Waiting): { readonly address: string; close(): void } {
    this.#waiting.set(id, waiting);
    return { address: `${this.#prefix}.${id}`, close: () => void this.#waiting.delete(id) };
  }

  /** One question, one answer. */
  request(
    subject: string,
    head: Readonly<Record<string, unknown>>,
    timeoutMs: number,
    body?: Uint8Array,
  ): Promise<Message> {
    return new Promise((resolve, reject) => {
      const done = (act: () => void) => {
        clearTimeout(timer);
        close();
        act();
      };
      const { address, close } = this.open(randomBytes(6).toString('hex'), {
        answer: (message) => done(() => resolve(message)),
        nobody: () => done(() => reject(new NobodyThere())),
      });
      const timer = setTimeout(() => done(() => reject(new NoAnswer('there was no answer'))), timeoutMs);
      this.#line.publish(subject, head, body, address);
    });
  }

  close(): void {
    this.#unsubscribe();
  }
}
