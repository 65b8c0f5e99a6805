/** The byte with which every message begins. */
const start = 0x02;
const apiVersion = 2;
const commandHeader = 11;
/** All of memory, and what comes with it; more is an attack. */
const mostBody = 0x10000 + 64;

/** The request id of what nobody asked for. */
export const eventId = 0xffff_ffff;

export const failure = {
  missing: 0x01,
  memspace: 0x02,
  length: 0x80,
  parameter: 0x81,
  version: 0x82,
  command: 0x83,
  failed: 0x8f,
} as const;

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
  return byte === start;
}

/** Cuts what comes in into commands. */
export class CommandReader {
  #rest: Buffer = Buffer.alloc(0);

  /** Undefined where a command is longer than any can be. */
  push(chunk: Buffer): readonly Command[] | undefined {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const commands: Command[] = [];
    for (;;) {
      const from = this.#rest.indexOf(start);
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

export function encodeResponse(type: number, id: number, body: Uint8Array, error = 0): Buffer {
  const head = Buffer.alloc(12);
  head.set([start, apiVersion]);
  head.writeUInt32LE(body.length, 2);
  head.set([type, error], 6);
  head.writeUInt32LE(id, 8);
  return Buffer.concat([head, body]);
}

export function u16(value: number): number[] {
  return [value & 255, (value >> 8) & 255];
}

export function u32(value: number): number[] {
  return [...u16(value), ...u16(value >>> 16)];
}

/** Items with their lengths before them, and their number before all. */
export function items(all: readonly (readonly number[])[]): Buffer {
  return Buffer.from([...u16(all.length), ...all.flatMap((each) => [each.length, ...each])]);
}

/** Text with its length before it. */
export function text(value: string): number[] {
  const bytes = Buffer.from(value, 'latin1');
  return [bytes.length, ...bytes];
}

export function requireLength(body: Buffer, least: number): void {
  if (body.length < least) throw new Refusal(failure.length);
}

/** Text at a place, with its length before it. */
export function textAt(body: Buffer, at: number): string {
  requireLength(body, at + 1);
  const length = body[at] ?? 0;
  requireLength(body, at + 1 + length);
  return body.toString('utf8', at + 1, at + 1 + length);
}
