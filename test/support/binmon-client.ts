import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const headBytes = 12;
const eventId = 0xffff_ffff;
const patienceMs = 60_000;

export interface BinmonMessage {
  readonly type: number;
  readonly error: number;
  readonly isEvent: boolean;
  readonly id: number;
  readonly body: Buffer;
}

/** A client of VICE's binary monitor, message by message; of a real VICE or of ours. */
export class BinmonClient implements Disposable {
  readonly socket: Socket;
  readonly #messages: BinmonMessage[] = [];
  readonly #waiting = new Set<() => void>();
  #rest: Buffer = Buffer.alloc(0);
  #lastId = 0;
  isClosed = false;

  static async open(port: number): Promise<BinmonClient> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new BinmonClient(socket);
  }

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
      this.#wake();
    });
  }

  send(type: number, body: Uint8Array | readonly number[] = [], version = 2): number {
    const id = ++this.#lastId;
    const head = Buffer.alloc(11);
    head.set([2, version]);
    head.writeUInt32LE(body.length, 2);
    head.writeUInt32LE(id, 6);
    head[10] = type;
    this.socket.write(Buffer.concat([head, Buffer.from(body)]));
    return id;
  }

  /** The answer alone; what came before it is gone. */
  async ask(type: number, body?: Uint8Array | readonly number[], version?: number): Promise<BinmonMessage> {
    return (await this.asked(type, body, version)).at(-1) as BinmonMessage;
  }

  /** Everything up to the answer. */
  async asked(type: number, body?: Uint8Array | readonly number[], version?: number): Promise<BinmonMessage[]> {
    const id = this.send(type, body, version);
    // A list comes as several answers with the same number.
    const last = type === 0x14 ? (each: BinmonMessage) => each.type !== 0x11 : () => true;
    return this.until((each) => each.id === id && last(each));
  }

  /** The next event of a type, with everything before it. */
  event(type: number): Promise<BinmonMessage[]> {
    return this.until((each) => each.isEvent && each.type === type);
  }

  async until(isLast: (message: BinmonMessage) => boolean): Promise<BinmonMessage[]> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const index = this.#messages.findIndex(isLast);
      if (index >= 0) return this.#messages.splice(0, index + 1);
      if (this.isClosed) throw new Error('the connection was closed');
      if (Date.now() > deadline) throw new Error(`nothing came, after ${JSON.stringify(this.#messages)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, patienceMs);
        this.#waiting.add(done);
        function done() {
          clearTimeout(timer);
          resolve();
        }
      });
    }
  }

  async closed(): Promise<void> {
    if (!this.isClosed) await once(this.socket, 'close');
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }

  #wake(): void {
    for (const done of this.#waiting) done();
    this.#waiting.clear();
  }

  #take(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= headBytes) {
      const end = headBytes + this.#rest.readUInt32LE(2);
      if (this.#rest.length < end) break;
      const id = this.#rest.readUInt32LE(8);
      this.#messages.push({
        type: this.#rest[6] ?? 0,
        error: this.#rest[7] ?? 0,
        isEvent: id === eventId,
        id,
        body: this.#rest.subarray(headBytes, end),
      });
      this.#rest = this.#rest.subarray(end);
    }
    this.#wake();
  }
}

export function le16(...values: readonly number[]): number[] {
  return values.flatMap((value) => [value & 255, value >> 8]);
}

export function le32(value: number): number[] {
  return le16(value & 0xffff, value >>> 16);
}

/** Text with its length before it. */
export function counted(text: string): number[] {
  return [text.length, ...Buffer.from(text, 'latin1')];
}
