import { Transform, type TransformCallback } from 'node:stream';
import type { JSONRPCErrorResponse } from '@modelcontextprotocol/server';
import { type MessageFault, messageFault } from './message-fault.ts';
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
  /** There while a line goes by that is too long. */
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
    if (ready) ready.then(() => done());
    else done();
  }

  #add(part: Buffer): void {
    this.#bytes += part.length;
    if (!this.#passing) {
      this.#begun.push(part);
      if (this.#bytes <= mostBytes) return;
      this.#passing = new TopLevelId();
      for (const each of this.#begun) this.#passing.read(each);
      this.#begun = [];
    } else this.#passing.read(part);
  }

  #finish(): void {
    const bytes = this.#bytes;
    const passing = this.#passing;
    // Trimmed, also of what only JavaScript takes for a blank, such as a byte order mark: the SDK reads it once more.
    const line = Buffer.concat(this.#begun).toString().trim();
    this.#begun = [];
    this.#bytes = 0;
    this.#passing = undefined;
    const fault = passing ? tooLong(bytes, passing) : faultOf(line);
    if (fault) this.#refuse({ jsonrpc: '2.0', ...fault });
    else if (line !== '') this.push(`${line}\n`);
  }
}

function tooLong(bytes: number, { value }: TopLevelId): MessageFault {
  const message = `Invalid request: a line of ${bytes} bytes; ${mostBytes} is the most. Put large data into a file.`;
  return { ...(value !== undefined && { id: value }), error: { code: -32600, message } };
}

function faultOf(line: string): MessageFault | undefined {
  if (line === '') return undefined;
  try {
    return messageFault(JSON.parse(line));
  } catch (error) {
    return { error: { code: -32700, message: `Parse error: ${error instanceof Error ? error.message : 'no JSON'}` } };
  }
}
