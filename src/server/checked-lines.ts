import { Transform, type TransformCallback } from 'node:stream';
import { type JSONRPCErrorResponse, STDIO_DEFAULT_MAX_BUFFER_SIZE } from '@modelcontextprotocol/server';

/**
 * Lets lines of JSON-RPC through and has all others answered. The SDK drops them without a word, which leaves a client
 * waiting that got one character wrong.
 */
export class CheckedLines extends Transform {
  readonly #refuse: (answer: JSONRPCErrorResponse) => void;
  #begun: Buffer[] = [];
  #begunBytes = 0;

  constructor(refuse: (answer: JSONRPCErrorResponse) => void) {
    super();
    this.#refuse = refuse;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#begun.push(chunk.subarray(from, end + 1));
      this.#finish();
      from = end + 1;
    }
    this.#begun.push(chunk.subarray(from));
    this.#begunBytes += chunk.length - from;
    // The SDK ends the connection over a line that is longer, so it must get to see it.
    if (this.#begunBytes > STDIO_DEFAULT_MAX_BUFFER_SIZE) this.#passOn();
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#passOn();
    done();
  }

  #finish(): void {
    const line = Buffer.concat(this.#begun);
    const fault = faultOf(line.toString().trim());
    if (fault) this.#refuse({ jsonrpc: '2.0', ...fault });
    else this.push(line);
    this.#begun = [];
    this.#begunBytes = 0;
  }

  #passOn(): void {
    for (const part of this.#begun) this.push(part);
    this.#begun = [];
    this.#begunBytes = 0;
  }
}

function faultOf(line: string): Pick<JSONRPCErrorResponse, 'id' | 'error'> | undefined {
  if (line === '') return undefined;
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch (error) {
    return { error: { code: -32700, message: `Parse error: ${error instanceof Error ? error.message : 'no JSON'}` } };
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return invalid('a message is one JSON object');
  }
  const { jsonrpc, id, method } = message as Record<string, unknown>;
  const isAnswer = 'result' in message || 'error' in message;
  if (jsonrpc === '2.0' && (isAnswer || typeof method === 'string')) return undefined;
  const known = typeof id === 'string' || typeof id === 'number' ? { id } : {};
  return { ...known, ...invalid('jsonrpc must be "2.0" and method a string') };
}

function invalid(what: string): Pick<JSONRPCErrorResponse, 'error'> {
  return { error: { code: -32600, message: `Invalid request: ${what}` } };
}
