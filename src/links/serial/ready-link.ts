import type { ByteConnection, ByteLink, ConnectionEvents } from '../byte-link.ts';

/** A program that never says that it is ready gets what was written after this long. */
const patienceMs = 30_000;

/**
 * The link to a program that drops what is typed before it is ready, such as `virsh console`: bytes wait here until it
 * has printed `ready`.
 */
export function readyLink(link: ByteLink, ready: string): ByteLink {
  return {
    ...link,
    open: async (signal) => new ReadyConnection(await link.open(signal), Buffer.from(ready)),
  };
}

class ReadyConnection implements ByteConnection {
  readonly #connection: ByteConnection;
  readonly #ready: Buffer;
  #events: ConnectionEvents | undefined;
  /** The end of what was printed, in which the text may have begun. */
  #tail: Buffer = Buffer.alloc(0);
  /** What waits; undefined once the program is ready. */
  #held: Buffer[] | undefined = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(connection: ByteConnection, ready: Buffer) {
    this.#connection = connection;
    this.#ready = ready;
  }

  start(events: ConnectionEvents): void {
    this.#events = events;
    this.#timer = setTimeout(() => this.#release(), patienceMs);
    this.#connection.start({
      data: (bytes) => {
        events.data(bytes);
        this.#look(bytes);
      },
      drain: () => {
        if (this.pendingBytes === 0) events.drain();
      },
      close: (reason) => {
        clearTimeout(this.#timer);
        events.close(reason);
      },
    });
  }

  write(bytes: Uint8Array): void {
    if (this.#held) this.#held.push(Buffer.from(bytes));
    else this.#connection.write(bytes);
  }

  get pendingBytes(): number {
    const held = this.#held?.reduce((sum, { length }) => sum + length, 0) ?? 0;
    return this.#connection.pendingBytes + held;
  }

  pause(): void {
    this.#connection.pause();
  }

  resume(): void {
    this.#connection.resume();
  }

  sendBreak(durationMs: number): Promise<void> {
    return this.#connection.sendBreak(durationMs);
  }

  end(drainMs: number): Promise<void> {
    this.#release();
    return this.#connection.end(drainMs);
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#connection.destroy();
  }

  #look(bytes: Uint8Array): void {
    if (!this.#held) return;
    const text = Buffer.concat([this.#tail, bytes]);
    if (text.includes(this.#ready)) this.#release();
    else this.#tail = text.subarray(Math.max(0, text.length - this.#ready.length + 1));
  }

  #release(): void {
    clearTimeout(this.#timer);
    const held = this.#held;
    if (!held) return;
    this.#held = undefined;
    for (const bytes of held) this.#connection.write(bytes);
    if (held.length > 0 && this.#connection.pendingBytes === 0) this.#events?.drain();
  }
}
