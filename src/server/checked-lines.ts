import { Transform, type TransformCallback } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { JSONRPCErrorResponse } from '@modelcontextprotocol/server';
import type { MessageFault } from './message-fault.ts';
import { excessFault, measureMessage, parseMessage } from './read-message.ts';
import { TopLevelId } from './top-level-id.ts';

/** Below the length at which the SDK ends the connection. */
const mostBytes = 10_000_000;

/** So many requests begin before others have their turn. */
const linesInTurn = 16;

export interface Admission {
  /** What has to be waited for before more is read, such as a client that reads no answers. */
  ready?(): Promise<void> | undefined;
  /** Why a message is refused before anything else about it is looked at: where there are many, that must be quick. */
  refusal(message: unknown): MessageFault | undefined;
  /** Why a message goes no further. It may take time, in which no more is read. */
  admit(message: unknown): Promise<MessageFault | undefined>;
}

/**
 * Lets lines of JSON-RPC through and has all others answered. The SDK drops them without a word, or ends the connection,
 * which leaves a client waiting that got one character wrong.
 */
export class CheckedLines extends Transform {
  readonly #refuse: (answer: JSONRPCErrorResponse) => void;
  readonly #admission: Admission;
  #begun: Buffer[] = [];
  #bytes = 0;
  #measure = measureMessage();
  /** There while a line goes by that is too long, or has too much in it. */
  #passing: TopLevelId | undefined;

  constructor(refuse: (answer: JSONRPCErrorResponse) => void, admission: Admission) {
    super();
    this.#refuse = refuse;
    this.#admission = admission;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#readLines(chunk).then(() => done(), done);
  }

  async #readLines(chunk: Buffer): Promise<void> {
    let from = 0;
    let inTurn = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, end));
      await this.#finish();
      from = end + 1;
      await this.#admission.ready?.();
      if (++inTurn % linesInTurn === 0) await setImmediate();
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#passing) {
      this.#passing.read(part);
      return;
    }
    this.#begun.push(part);
    if (this.#bytes <= mostBytes && this.#measure.read(part).excess === undefined) return;
    this.#passing = new TopLevelId();
    for (const each of this.#begun) this.#passing.read(each);
    this.#begun = [];
  }

  async #finish(): Promise<void> {
    // Trimmed, also of what only JavaScript takes for a blank, such as a byte order mark: the SDK reads it once more.
    const line = Buffer.concat(this.#begun).toString().trim();
    const passed = this.#passing && this.#passedFault(this.#passing);
    this.#begun = [];
    this.#bytes = 0;
    this.#measure = measureMessage();
    this.#passing = undefined;
    const fault = passed ?? (line === '' ? undefined : await this.#faultOf(line));
    if (fault) this.#refuse({ jsonrpc: '2.0', ...fault });
    else if (line !== '') this.push(`${line}\n`);
  }

  #faultOf(line: string): MessageFault | undefined | Promise<MessageFault | undefined> {
    const read = parseMessage(line, false, (message) => this.#admission.refusal(message));
    return read.type === 'fault' ? read.fault : this.#admission.admit(read.value);
  }

  #passedFault(id: TopLevelId): MessageFault {
    const { excess } = this.#measure;
    return excess ? excessFault(excess, id) : tooLong(this.#bytes, id);
  }
}

function tooLong(bytes: number, { value }: TopLevelId): MessageFault {
  const message = `Invalid request: a line of ${bytes} bytes; the limit is ${mostBytes}. Put large data into a file.`;
  return { ...(value !== undefined && { id: value }), error: { code: -32600, message } };
}
