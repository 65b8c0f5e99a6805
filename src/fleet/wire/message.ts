/** What goes over the line: a head as JSON, and bytes after it where there are any. */
export interface Message {
  readonly head: Readonly<Record<string, unknown>>;
  readonly body: Uint8Array;
}

const none = new Uint8Array();
/** Longer ones are refused; the largest that pass are pictures and memory dumps. */
const mostBytes = 64 * 1024 * 1024;
/** Of messages that have begun, with room for two of the longest. */
const mostBegunBytes = 2 * mostBytes;
const mostBegun = 1000;
/** The number of a part and how many there are, four bytes each. */
const partHead = 8;
const onlyPart = [0, 0, 0, 0, 1, 0, 0, 0];
const headAt = partHead + 4;

export class DamagedMessage extends Error {
  override readonly name = 'DamagedMessage';
}

/** As the only part that there is, which most messages are. */
export function encodeMessage(head: Readonly<Record<string, unknown>>, body: Uint8Array = none): Uint8Array {
  const json = JSON.stringify(head);
  const length = Buffer.byteLength(json);
  const bytes = Buffer.allocUnsafe(headAt + length + body.length);
  bytes.set(onlyPart);
  bytes.writeUInt32LE(length, partHead);
  bytes.write(json, headAt);
  if (body.length > 0) bytes.set(body, headAt + length);
  return bytes;
}

export function decodeMessage(bytes: Uint8Array): Message {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = buffer.length >= headAt ? buffer.readUInt32LE(partHead) : Number.POSITIVE_INFINITY;
  if (headAt + length > buffer.length) throw new DamagedMessage('a message is cut short');
  let head: unknown;
  try {
    head = JSON.parse(buffer.toString('utf8', headAt, headAt + length));
  } catch {
    throw new DamagedMessage('a message is not JSON');
  }
  if (typeof head !== 'object' || head === null) throw new DamagedMessage('a message has no head');
  return { head: head as Record<string, unknown>, body: buffer.subarray(headAt + length) };
}

/** An encoded message in pieces of at most so many bytes each. */
export function partsOf(bytes: Uint8Array, maxBytes: number): readonly Uint8Array[] {
  if (bytes.length <= maxBytes) return [bytes];
  const room = maxBytes - partHead;
  const count = Math.ceil(bytes.length / room);
  return Array.from({ length: count }, (_, part) => {
    const piece = bytes.subarray(part * room, (part + 1) * room);
    const message = Buffer.allocUnsafe(partHead + piece.length);
    message.writeUInt32LE(part, 0);
    message.writeUInt32LE(count, 4);
    message.set(piece, partHead);
    return message;
  });
}

/** Puts the pieces of one sender together again. They come in their order, or something was lost. */
class Assembler {
  #parts: Uint8Array[] = [];
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** The whole, with its last piece. */
  push(message: Uint8Array): Uint8Array | undefined {
    const buffer = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
    if (buffer.length < partHead) throw new DamagedMessage('a part is too short');
    const [part, count] = [buffer.readUInt32LE(0), buffer.readUInt32LE(4)];
    if (part === 0) this.#clear();
    if (part !== this.#parts.length) throw new DamagedMessage('a part was lost');
    const piece = buffer.subarray(partHead);
    this.#bytes += piece.length;
    if (this.#bytes > mostBytes) throw new DamagedMessage('a message is too long');
    this.#parts.push(piece);
    if (this.#parts.length < count) return undefined;
    const whole = Buffer.concat(this.#parts);
    this.#clear();
    return whole;
  }

  #clear(): void {
    this.#parts = [];
    this.#bytes = 0;
  }
}

function isWhole(piece: Uint8Array): boolean {
  return piece.length <= mostBytes && onlyPart.every((byte, at) => piece[at] === byte);
}

/**
 * The messages of all senders that have begun and not ended. Whoever begins without end takes no more room than is for all:
 * the oldest are given up for others.
 */
export class Assemblers {
  readonly #begun = new Map<string, Assembler>();
  #bytes = 0;

  /** The whole, with the last piece of its sender. */
  push(sender: string, piece: Uint8Array): Uint8Array | undefined {
    if (isWhole(piece)) {
      this.#forget(sender);
      return piece;
    }
    const assembler = this.#begun.get(sender) ?? new Assembler();
    this.#forget(sender);
    const whole = assembler.push(piece);
    if (whole) return whole;
    this.#begun.set(sender, assembler);
    this.#bytes += assembler.bytes;
    for (const [other] of this.#begun) {
      if (this.#bytes <= mostBegunBytes && this.#begun.size <= mostBegun) break;
      this.#forget(other);
    }
    return undefined;
  }

  #forget(sender: string): void {
    if (this.#begun.size === 0) return;
    this.#bytes -= this.#begun.get(sender)?.bytes ?? 0;
    this.#begun.delete(sender);
  }
}
