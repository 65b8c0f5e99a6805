import { GatheredBytes } from '../../formats/gathered-bytes.ts';
import { decodePayload, hexByte } from './packet.ts';

/** No answer of QEMU is longer than its PacketSize of 4 KB; this is for those that do not keep to it. */
const maxPacketBytes = 1024 * 1024;
const [plus, minus, dollar, hash, breakByte] = [0x2b, 0x2d, 0x24, 0x23, 0x03];

export type Received =
  | { readonly type: 'ack' | 'nack' | 'damaged' | 'overflow' | 'interrupt' }
  | { readonly type: 'packet'; readonly payload: string };

/** Finds acknowledgements and packets in a byte stream; everything between them is noise. */
export class PacketReader {
  readonly #maxBytes: number;
  readonly #held = new GatheredBytes();
  /** Bytes of the checksum still to come, once the end of a packet was seen. */
  #trailer: number | undefined;
  #inside = false;

  constructor(maxBytes = maxPacketBytes) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): Received[] {
    const received: Received[] = [];
    let at = 0;
    while (at < chunk.length) {
      if (!this.#inside) {
        const byte = chunk[at++];
        if (byte === plus) received.push({ type: 'ack' });
        else if (byte === minus) received.push({ type: 'nack' });
        else if (byte === breakByte) received.push({ type: 'interrupt' });
        else if (byte === dollar) {
          // Nearly always the whole packet is here, and nothing has to be put together.
          const last = chunk.indexOf(hash, at) + 2;
          this.#inside = last < 2 || last >= chunk.length;
          if (this.#inside) continue;
          received.push(finished(chunk.subarray(at, last + 1), this.#maxBytes));
          at = last + 1;
        }
        continue;
      }
      const end = this.#trailer === undefined ? chunk.indexOf(hash, at) : at;
      const take = Math.min(chunk.length, this.#trailer === undefined ? end + 1 || chunk.length : at + this.#trailer);
      this.#held.add(chunk.subarray(at, take));
      if (this.#trailer !== undefined) this.#trailer -= take - at;
      else if (end >= 0) this.#trailer = 2;
      at = take;
      if (this.#trailer === 0) received.push(this.#finish());
      else if (this.#held.length > this.#maxBytes) return [...received, { type: 'overflow' }];
    }
    return received;
  }

  #finish(): Received {
    const bytes = this.#held.take();
    this.#trailer = undefined;
    this.#inside = false;
    return finished(bytes, this.#maxBytes);
  }
}

/** From after the `$` to the end of the checksum. */
function finished(bytes: Uint8Array, maxBytes: number): Received {
  const length = bytes.length - 3;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  if (text.slice(length + 1).toLowerCase() !== hexByte(sumOf(bytes, length))) return { type: 'damaged' };
  const payload = decodePayload(text.slice(0, length), maxBytes);
  return payload === undefined ? { type: 'overflow' } : { type: 'packet', payload };
}

function sumOf(bytes: Uint8Array, length: number): number {
  let sum = 0;
  for (let at = 0; at < length; at++) sum += bytes[at] ?? 0;
  return sum;
}
