import { parseModestJson } from '../../formats/modest-json.ts';

/** A message of the protocol. What a request has as arguments is for its handler to look at. */
export interface DapRequest {
  readonly seq: number;
  readonly command: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const mostHeaderBytes = 1024;
const mostBodyBytes = 1024 * 1024;
/** Pieces are put together when the message is there, or when they are many. */
const mostParts = 256;
const headerEnd = Buffer.from('\r\n\r\n');
const lengthForm = /^Content-Length: *(\d{1,8})$/i;

/** Thrown for what is not the protocol: the connection ends. */
export class DapFault extends Error {
  override readonly name = 'DapFault';
}

/** Cuts a stream into messages. */
export class DapReader {
  #parts: Buffer[] = [];
  #heldBytes = 0;
  #wanted: number | undefined;

  push(chunk: Uint8Array): DapRequest[] {
    this.#parts.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    this.#heldBytes += chunk.length;
    if (this.#parts.length > mostParts) this.#whole();
    const requests: DapRequest[] = [];
    for (;;) {
      this.#wanted ??= this.#readHeader();
      if (this.#wanted === undefined || this.#heldBytes < this.#wanted) return requests;
      const text = this.#take(this.#wanted).toString('utf8');
      this.#wanted = undefined;
      const request = requestOf(text);
      if (request) requests.push(request);
    }
  }

  #take(bytes: number): Buffer {
    const held = this.#whole();
    this.#parts = [held.subarray(bytes)];
    this.#heldBytes -= bytes;
    return held.subarray(0, bytes);
  }

  #whole(): Buffer {
    const [first] = this.#parts;
    const whole = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts, this.#heldBytes);
    this.#parts = [whole];
    return whole;
  }

  #readHeader(): number | undefined {
    const held = this.#whole();
    const end = held.subarray(0, mostHeaderBytes + headerEnd.length).indexOf(headerEnd);
    const lineEnd = held.subarray(0, mostHeaderBytes + 2).indexOf('\r\n');
    const line = held.toString('latin1', 0, lineEnd >= 0 ? lineEnd : Math.min(held.length, mostHeaderBytes + 1));
    // A web page's request is refused by its first line, before anything of it counts.
    if (lineEnd >= 0 ? !lengthForm.test(line) : !couldBecomeLength(line)) throw new DapFault('no header of a message');
    if (end < 0 && held.length > mostHeaderBytes) throw new DapFault('the header is too long');
    if (end < 0) return undefined;
    const [, digits] = lengthForm.exec(line) ?? [];
    const length = Number(digits);
    if (length > mostBodyBytes) throw new DapFault('the message is too long');
    this.#take(end + headerEnd.length);
    return length;
  }
}

function couldBecomeLength(line: string): boolean {
  const word = 'content-length:';
  const start = line.toLowerCase();
  return line.length <= mostHeaderBytes && (word.startsWith(start) || start.startsWith(word));
}

/** Undefined for what is no request: answers to requests of ours, of which there are none. */
function requestOf(text: string): DapRequest | undefined {
  let message: unknown;
  try {
    message = parseModestJson(text);
  } catch {
    throw new DapFault('the message is not JSON, or too much of it');
  }
  const { seq, type, command, arguments: args } = Object(message) as Record<string, unknown>;
  if (type !== 'request' || typeof command !== 'string' || typeof seq !== 'number') return undefined;
  return { seq, command, arguments: typeof args === 'object' && args !== null ? { ...args } : {} };
}

export function encodeMessage(message: Readonly<Record<string, unknown>>): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, 'latin1'), body]);
}

/** What the first byte of a message can be. The rest of its first line is looked at before anything that follows. */
export function isDapByte(byte: number): boolean {
  return byte === 0x43 || byte === 0x63;
}
