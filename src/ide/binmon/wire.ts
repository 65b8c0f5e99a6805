import { commandHeader, failure, startByte } from '../../links/vice/wire.ts';

/** All of memory, and what comes with it; more is an attack. */
const mostBody = 0x10000 + 64;

/** An answer with an error code. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`error ${code.toString(16)}`);
    this.code = code;
  }
}

export interface Command {
  readonly version: number;
  readonly id: number;
  readonly type: number;
  readonly body: Buffer;
}

/** What a client's first byte can be. */
export function isBinmonByte(byte: number): boolean {
  return byte === startByte;
}

/** Cuts what comes in into commands. */
export class CommandReader {
  #rest: Buffer = Buffer.alloc(0);

  /** Undefined where a command is longer than any can be. */
  push(chunk: Buffer): readonly Command[] | undefined {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const commands: Command[] = [];
    for (;;) {
      const from = this.#rest.indexOf(startByte);
      this.#rest = from < 0 ? Buffer.alloc(0) : this.#rest.subarray(from);
      if (this.#rest.length < commandHeader) return commands;
      const length = this.#rest.readUInt32LE(2);
      if (length > mostBody) return undefined;
      const end = commandHeader + length;
      if (this.#rest.length < end) return commands;
      commands.push({
        version: this.#rest[1] ?? 0,
        id: this.#rest.readUInt32LE(6),
        type: this.#rest[10] ?? 0,
        body: this.#rest.subarray(commandHeader, end),
      });
      this.#rest = this.#rest.subarray(end);
    }
  }
}

export function requireLength(body: Buffer, least: number): void {
  if (body.length < least) throw new Refusal(failure.length);
}

/** Text at a place, with its length before it. As in VICE, a NUL ends it: clients send whole buffers. */
export function textAt(body: Buffer, at: number): string {
  requireLength(body, at + 1);
  const length = body[at] ?? 0;
  requireLength(body, at + 1 + length);
  const text = body.subarray(at + 1, at + 1 + length);
  const end = text.indexOf(0);
  return text.toString('utf8', 0, end < 0 ? length : end);
}
