import { eventId, responseHeader, startByte } from './wire.ts';

/** A picture of the largest screen there is takes less than one. */
const mostBody = 8 * 1024 * 1024;

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
  #pieces: Buffer[] = [];
  #length = 0;
  #wanted = responseHeader;

  /** Throws an `Error` about what no VICE sends. */
  push(chunk: Buffer): readonly BinmonMessage[] {
    this.#pieces.push(chunk);
    this.#length += chunk.length;
    const messages: BinmonMessage[] = [];
    while (this.#length >= this.#wanted) {
      const all = this.#pieces.length === 1 && this.#pieces[0] ? this.#pieces[0] : Buffer.concat(this.#pieces);
      this.#pieces = [all];
      if (all[0] !== startByte) throw new Error('what came is no message of a binary monitor');
      const length = all.readUInt32LE(2);
      if (length > mostBody) throw new Error(`a message of ${length} bytes`);
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
      this.#pieces = [all.subarray(end)];
      this.#length = all.length - end;
      this.#wanted = responseHeader;
    }
    return messages;
  }
}
