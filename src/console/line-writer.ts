import type { WriteOptions, WriteResult } from '../machine/console.ts';

const pieceBytes = 16 * 1024;
/** So much may wait inside the connection, where it is lost with the link. */
const connectionBytes = 64 * 1024;
const defaultRetryMs = 5000;

/** The side of a link that takes bytes. */
export interface Wire {
  readonly up: boolean;
  readonly ended: boolean;
  readonly pendingBytes: number;
  write(bytes: Uint8Array): void;
}

/** What waits in `store` between `from` and `to`. */
interface Entry {
  readonly store: Uint8Array;
  from: number;
  to: number;
  /** Somebody waits for this entry and can still take its bytes back. */
  readonly handedOver?: (written: number) => void;
}

/**
 * The way to the machine for everybody who types. Bytes leave in the order in which they were accepted, and each is
 * either written, queued or refused.
 */
export class LineWriter {
  readonly #wire: Wire;
  readonly #queueBytes: number;
  readonly #roomListeners: (() => void)[] = [];
  #entries: Entry[] = [];
  #queued = 0;
  #closed = false;

  constructor(wire: Wire, queueBytes = 1024 * 1024) {
    this.#wire = wire;
    this.#queueBytes = queueBytes;
  }

  /** Bytes in the queue that nobody can take back. */
  get queuedBytes(): number {
    return this.#queued;
  }

  get closed(): boolean {
    return this.#closed || this.#wire.ended;
  }

  /** Calls back whenever the queue may take bytes again, and when it never will. */
  onRoom(listener: () => void): void {
    this.#roomListeners.push(listener);
  }

  write(bytes: Uint8Array, options: WriteOptions): Promise<WriteResult> {
    if (options.mode === 'retry') return this.#retry(bytes, options);
    return Promise.resolve(this.offer(bytes, options.mode));
  }

  /** The two modes that never wait. */
  offer(bytes: Uint8Array, mode: 'nonblocking' | 'buffered'): WriteResult {
    if (this.closed) return { written: 0, queued: 0, refused: bytes.length };
    const written = this.#entries.length > 0 ? 0 : this.#handOver(bytes, mode === 'buffered' ? connectionBytes : 1);
    if (mode === 'nonblocking') return { written, queued: 0, refused: bytes.length - written };
    const queued = Math.min(bytes.length - written, this.#queueBytes - this.#queued);
    this.#enqueue(bytes.subarray(written, written + queued));
    return { written, queued, refused: bytes.length - written - queued };
  }

  /** To be called when the link came up or has sent everything. */
  flush(): void {
    for (let entry = this.#entries[0]; entry; entry = this.#entries[0]) {
      const written = this.#handOver(entry.store.subarray(entry.from, entry.to), connectionBytes);
      entry.from += written;
      const done = entry.from === entry.to;
      if (done) this.#entries.shift();
      if (entry.handedOver) entry.handedOver(written);
      else this.#queued -= written;
      if (!done) break;
    }
    if (this.#queued < this.#queueBytes) this.#tellRoom();
  }

  /** Resolves when everything accepted has left, or after `timeoutMs`, or at once when nothing can leave. */
  emptied(timeoutMs: number): Promise<void> {
    const empty = () => !this.#wire.up || (this.#entries.length === 0 && this.#wire.pendingBytes === 0);
    if (empty()) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.onRoom(() => {
        if (!empty()) return;
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Nothing more is taken; who waits gets the rest back. Answers how many queued bytes are dropped. */
  close(): number {
    const dropped = this.#queued;
    const waiting = this.#entries;
    this.#closed = true;
    this.#entries = [];
    this.#queued = 0;
    for (const entry of waiting) entry.handedOver?.(0);
    this.#tellRoom();
    return dropped;
  }

  #retry(bytes: Uint8Array, { timeoutMs = defaultRetryMs, signal }: WriteOptions): Promise<WriteResult> {
    if (this.closed || signal?.aborted) return Promise.resolve({ written: 0, queued: 0, refused: bytes.length });
    let total = this.#entries.length > 0 ? 0 : this.#handOver(bytes, connectionBytes);
    if (total === bytes.length) return Promise.resolve({ written: total, queued: 0, refused: 0 });
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve({ written: total, queued: 0, refused: bytes.length - total });
      };
      const store = Buffer.from(bytes.subarray(total));
      const entry: Entry = {
        store,
        from: 0,
        to: store.length,
        handedOver: (written) => {
          total += written;
          if (total === bytes.length || this.closed) finish();
        },
      };
      const giveUp = () => {
        this.#entries = this.#entries.filter((other) => other !== entry);
        finish();
        this.flush();
      };
      const timer = setTimeout(giveUp, timeoutMs);
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#entries.push(entry);
    });
  }

  #enqueue(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      let tail = this.#entries.at(-1);
      if (!tail || tail.handedOver || tail.to === tail.store.length) {
        tail = { store: Buffer.allocUnsafeSlow(pieceBytes), from: 0, to: 0 };
        this.#entries.push(tail);
      }
      const piece = bytes.subarray(done, done + tail.store.length - tail.to);
      tail.store.set(piece, tail.to);
      tail.to += piece.length;
      done += piece.length;
    }
    this.#queued += bytes.length;
  }

  /** Writes copies of pieces while less than `limit` bytes wait in the connection; answers how many bytes it took. */
  #handOver(bytes: Uint8Array, limit: number): number {
    let done = 0;
    while (done < bytes.length && this.#wire.up && this.#wire.pendingBytes < limit) {
      const room = Math.min(pieceBytes, connectionBytes - this.#wire.pendingBytes);
      const piece = Buffer.from(bytes.subarray(done, done + room));
      this.#wire.write(piece);
      done += piece.length;
    }
    return done;
  }

  #tellRoom(): void {
    for (const listener of this.#roomListeners) listener();
  }
}
