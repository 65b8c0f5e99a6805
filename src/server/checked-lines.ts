import { Transform, type TransformCallback } from 'node:stream';
import type { JSONRPCErrorResponse } from '@modelcontextprotocol/server';
import type { MessageFault } from './message-fault.ts';
import { excessFault, measureMessage, parseMessage } from './read-message.ts';
import { TopLevelId } from './top-level-id.ts';

/** Below the length at which the SDK ends the connection. */
const mostBytes = 10_000_000;

/**
 * Lets lines of JSON-RPC through and has all others answered. The SDK drops them without a word, or ends the connection,
 * which leaves a client waiting that got one character wrong.
 */
export class CheckedLines extends Transform {
  readonly #refuse: (answer: JSONRPCErrorResponse) => void;
  readonly #ready: () => Promise<unknown> | undefined;
  #begun: Buffer[] = [];
  #bytes = 0;
  #measure = measureMessage();
  /** There while a line goes by that is too long, or has too much in it. */
  #passing: TopLevelId | undefined;

  /** `ready`: what to wait for before more is read, because the client does not read what it has asked for. */
  constructor(refuse: (answer: JSONRPCErrorResponse) => void, ready: () => Promise<unknown> | undefined) {
    super();
    this.#refuse = refuse;
    this.#ready = ready;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, end));
      this.#finish();
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
    const ready = this.#ready();
    if (ready) void ready.then(() => done());
    else done();
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

  #finish(): void {
    // Trimmed, also of what only JavaScript takes for a blank, such as a byte order mark: the SDK reads it once more.
    const line = Buffer.concat(this.#begun).toString().trim();
    const fault = this.#passing ? this.#passedFault(this.#passing) : faultOf(line);
    this.#begun = [];
    this.#bytes = 0;
    this.#measure = measureMessage();
    this.#passing = undefined;
    if (fault) this.#refuse({ jsonrpc: '2.0', ...fault });
    else if (line !== '') this.push(`${line}\n`);
  }

  #passedFault(id: TopLevelId): MessageFault {
    const { excess } = this.#measure;
    return excess ? excessFault(excess, id) : tooLong(this.#bytes, id);
  }
}

function tooLong(bytes: number, { value }: TopLevelId): MessageFault {
  const message = `Invalid request: a line of ${bytes} bytes; ${mostBytes} is the most. Put large data into a file.`;
  return { ...(value !== undefined && { id: value }), error: { code: -32600, message } };
}

function faultOf(line: string): MessageFault | undefined {
  if (line === '') return undefined;
  const read = parseMessage(line, false);
  return read.type === 'fault' ? read.fault : undefined;
}
