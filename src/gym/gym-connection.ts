import type { Socket } from 'node:net';
import { z } from 'zod';
import { problemText } from './problem-text.ts';
import { openVector, type Vector } from './vector.ts';
import type { VectorOptions } from './vector-spec.ts';

/** Requests and answers: the length of the rest and a type, four bytes each, the lowest first, then what the type says. */
export const requests = { open: 1, reset: 2, step: 3, send: 4, receive: 5, save: 6, restore: 7, fork: 8 } as const;
export const answers = { text: 128, step: 129, received: 130, bytes: 131, error: 255 } as const;

/** By the type of request; all others are short. */
const longestRequests: Readonly<Record<number, number>> = {
  [requests.open]: 4 * 1024 * 1024,
  [requests.reset]: 256 * 1024,
  [requests.restore]: 256 * 1024 * 1024,
};
const longestOther = 64 * 1024;
/** Requests that wait for those before them; then no more are read until there is room. */
const mostWaiting = 16;
/** Pieces are put together when the request is there, or when they are many. */
const mostPieces = 4096;
/** From this length on, requests share the room that there is for those of all clients. */
const longRequest = 1024 * 1024;

/** What long requests may still take, of all clients together, until they are carried out. */
export interface RequestRoom {
  left: number;
}

const seedShape = z.int().min(0).max(0xffff_ffff);
const resetShape = z.strictObject({
  /** For all, or a list with one for each of those that are reset. */
  seed: z.union([seedShape, z.array(seedShape.nullable()).max(4096)]).optional(),
  which: z.array(z.int().min(0)).max(4096).optional(),
});

/** One client with one vector of environments. Requests are carried out in order, and each has one answer. */
export class GymConnection {
  readonly #socket: Socket;
  readonly #read: readonly string[];
  #vector: Vector | undefined;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #work: Promise<void> = Promise.resolve();
  #waiting = 0;
  readonly #gone = new AbortController();
  readonly #room: RequestRoom;
  /** Taken for the request that is being read. */
  #taken = 0;

  /** `read`: folders that the client may name files in. */
  constructor(socket: Socket, read: readonly string[], room: RequestRoom) {
    this.#socket = socket;
    this.#read = read;
    this.#room = room;
    socket.on('data', (bytes) => this.#received(bytes));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => void this.end());
  }

  async end(): Promise<void> {
    this.#socket.destroy();
    this.#gone.abort();
    this.#held = [];
    this.#heldBytes = 0;
    this.#room.left += this.#taken;
    this.#taken = 0;
    await this.#work;
    const vector = this.#vector;
    this.#vector = undefined;
    await vector?.close();
  }

  #received(bytes: Buffer): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#held.length > mostPieces) this.#whole();
    while (this.#heldBytes >= 8 && !this.#socket.destroyed) {
      const head = (this.#held[0]?.length ?? 0) >= 8 ? this.#held[0] : this.#whole();
      if (!head) return;
      const [length, type] = [head.readUInt32LE(0), head.readUInt32LE(4)];
      const longest = longestRequests[type] ?? longestOther;
      const why = this.#whyNot(length, longest);
      if (why !== undefined) {
        this.#fail(new RangeError(why));
        this.#socket.destroySoon();
        return;
      }
      if (this.#heldBytes < 8 + length) return;
      const all = this.#whole();
      this.#held = [all.subarray(8 + length)];
      this.#heldBytes -= 8 + length;
      this.#carryOut(type, all.subarray(8, 8 + length));
    }
  }

  #whyNot(length: number, longest: number): string | undefined {
    if (length > longest) return `a request of ${length} bytes; ${longest} are the most`;
    if (this.#takeRoom(length)) return undefined;
    return `a request of ${length} bytes; ${this.#room.left} are left beside those of other clients`;
  }

  #takeRoom(length: number): boolean {
    if (length < longRequest || this.#taken > 0) return true;
    if (length > this.#room.left) return false;
    this.#room.left -= length;
    this.#taken = length;
    return true;
  }

  #whole(): Buffer {
    const [first] = this.#held;
    const all = this.#held.length === 1 && first ? first : Buffer.concat(this.#held, this.#heldBytes);
    this.#held = [all];
    return all;
  }

  #carryOut(type: number, body: Buffer): void {
    if (++this.#waiting >= mostWaiting) this.#socket.pause();
    const taken = this.#taken;
    this.#taken = 0;
    this.#work = this.#work
      .then(() => (this.#socket.destroyed ? undefined : this.#answer(type, body)))
      .catch((error: unknown) => this.#fail(error))
      .then(() => {
        this.#room.left += taken;
        return this.#drained();
      })
      .then(() => {
        if (--this.#waiting < mostWaiting) this.#socket.resume();
      });
  }

  /** Nothing more is done for a client that does not read what it asked for. */
  async #drained(): Promise<void> {
    if (!this.#socket.writableNeedDrain || this.#socket.destroyed) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#socket.off('drain', done).off('close', done);
        resolve();
      };
      this.#socket.once('drain', done).once('close', done);
    });
  }

  async #answer(type: number, body: Buffer): Promise<void> {
    if (type === requests.open) return this.#open(body);
    const vector = this.#vector;
    if (!vector) throw new Error('open environments first');
    switch (type) {
      case requests.reset: {
        const { seed, which } = resetShape.parse(JSON.parse(body.toString()));
        await vector.reset(Array.isArray(seed) ? seed.map((each) => each ?? undefined) : seed, which);
        return this.#sendStep(vector);
      }
      case requests.step:
        await vector.step(body);
        return this.#sendStep(vector);
      case requests.send: {
        const count = number(body, 0);
        if (4 + count * 4 > body.length) throw new RangeError('fewer environments than it says');
        const indexes = Array.from({ length: count }, (_, index) => number(body, 4 + index * 4));
        if (indexes.some((index) => index >= vector.spec.count)) throw new RangeError('there is no such environment');
        vector.send(indexes, body.subarray(4 + count * 4));
        return this.#sendText({});
      }
      case requests.receive:
        return this.#sendReceived(vector, await vector.receive(number(body, 0)));
      case requests.save:
        return this.#send(answers.bytes, [Buffer.from(await vector.save(number(body, 0)))]);
      case requests.restore:
        await vector.restore(number(body, 0), new Uint8Array(body.subarray(4)));
        return this.#sendStep(vector);
      case requests.fork:
        await vector.fork(number(body, 0), number(body, 4));
        return this.#sendStep(vector);
      default:
        throw new RangeError(`no request has type ${type}`);
    }
  }

  async #open(body: Buffer): Promise<void> {
    if (this.#vector) throw new Error('environments are open already: use another connection');
    const given: unknown = JSON.parse(body.toString());
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      throw new Error('environments are opened with one JSON object of options');
    if ('read' in given) throw new Error('"read" is for who starts the server to say: --allow-read');
    const vector = await openVector(
      { ...(given as VectorOptions), read: [...this.#read] },
      undefined,
      this.#gone.signal,
    );
    this.#vector = vector;
    const { parts, observationBytes, spec } = vector;
    const choices = spec.action.map(({ length }) => length);
    this.#sendText({ count: spec.count, players: choices, parts, observationBytes, autoreset: spec.autoreset });
  }

  #sendStep(vector: Vector): void {
    const { observations, rewards, flags, finals, trouble } = vector.last;
    this.#send(answers.step, [observations, bytesOf(rewards), padded(flags), finals, json([...trouble])]);
  }

  #sendReceived({ last, observationBytes, spec }: Vector, indexes: readonly number[]): void {
    const numbers = Uint32Array.from([indexes.length, ...indexes]);
    const players = spec.action.length;
    const rewards = indexes.flatMap((index) => [...last.rewards.subarray(index * players, (index + 1) * players)]);
    const trouble = [...last.trouble].filter(([index]) => indexes.includes(index));
    this.#send(answers.received, [
      bytesOf(numbers),
      ...indexes.map((index) => rowOf(last.observations, observationBytes, index)),
      bytesOf(Float32Array.from(rewards)),
      padded(Uint8Array.from(indexes, (index) => last.flags[index] ?? 0)),
      ...(last.finals.length === 0 ? [] : indexes.map((index) => rowOf(last.finals, observationBytes, index))),
      json(trouble),
    ]);
  }

  #sendText(text: unknown): void {
    this.#send(answers.text, [json(text)]);
  }

  #fail(error: unknown): void {
    this.#send(answers.error, [json({ message: problemText(error) })]);
  }

  #send(type: number, parts: readonly Uint8Array[]): void {
    if (this.#socket.destroyed) return;
    const head = Buffer.alloc(8);
    head.writeUInt32LE(
      parts.reduce((sum, { length }) => sum + length, 0),
      0,
    );
    head.writeUInt32LE(type, 4);
    this.#socket.cork();
    this.#socket.write(head);
    // Copies: the next step writes into the same memory.
    for (const part of parts) this.#socket.write(Buffer.from(part));
    this.#socket.uncork();
  }
}

function number(body: Buffer, at: number): number {
  if (body.length < at + 4) throw new RangeError('the request is cut short');
  return body.readUInt32LE(at);
}

function rowOf(rows: Uint8Array, bytes: number, index: number): Uint8Array {
  return rows.subarray(index * bytes, (index + 1) * bytes);
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function padded(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  whole.set(bytes);
  return whole;
}

function json(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
