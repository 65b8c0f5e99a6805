import { GatheredBytes } from '../../formats/gathered-bytes.ts';
import { eventId, responseHeader, startByte } from './wire.ts';

/** A picture of the largest screen there is takes less than one. */
const mostBody = 2 * 1024 * 1024;

export interface BinmonMessage {
  /** Of the protocol. */
  readonly version: number;
  readonly type: number;
  readonly error: number;
  /** Undefined for what nobody asked for. */
  readonly request: number | undefined;
  readonly body: Buffer;
}

/** Cuts what comes in into messages. */
export class BinmonReader {
  readonly #held = new GatheredBytes();
  #wanted = responseHeader;

  /** Throws an `Error` about what no VICE sends. */
  push(chunk: Buffer): readonly BinmonMessage[] {
    const messages: BinmonMessage[] = [];
    if (this.#held.length + chunk.length < this.#wanted) {
      this.#held.add(chunk);
      return messages;
    }
    let all = chunk;
    if (this.#held.length > 0) {
      this.#held.add(chunk);
      all = asBuffer(this.#held.take());
    }
    for (;;) {
      if (all.length < responseHeader) break;
      if (all[0] !== startByte) throw new Error('this is not a message of a binary monitor');
      const length = all.readUInt32LE(2);
      if (length > mostBody) throw new Error(`a message of ${length} bytes is not one of a binary monitor`);
      const end = responseHeader + length;
      if (all.length < end) {
        this.#wanted = end;
        break;
      }
      const id = all.readUInt32LE(8);
      messages.push({
        version: all[1] ?? 0,
        type: all[6] ?? 0,
        error: all[7] ?? 0,
        request: id === eventId ? undefined : id,
        body: all.subarray(responseHeader, end),
      });
      all = all.subarray(end);
      this.#wanted = responseHeader;
    }
    this.#held.add(all);
    return messages;
  }
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
