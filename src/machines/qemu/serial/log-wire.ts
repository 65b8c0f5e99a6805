import type { ByteConnection, ByteLink, ConnectionEvents } from '../../../links/byte-link.ts';

/** A line that only speaks, as QEMU's log: whoever is slow loses nothing but its place in the ring, and QEMU never waits. */
export class LogWire implements ByteConnection {
  readonly link: ByteLink;
  readonly pendingBytes = 0;
  #events: ConnectionEvents | undefined;
  #over: string | undefined;

  constructor(target: string) {
    this.link = { target, open: async () => this };
  }

  take(bytes: Uint8Array): void {
    this.#events?.data(bytes);
  }

  start(events: ConnectionEvents): void {
    this.#events = events;
    if (this.#over !== undefined) events.close({ text: this.#over, final: true });
  }

  /** There will be no more. */
  finish(reason: string): void {
    if (this.#over !== undefined) return;
    this.#over = reason;
    this.#events?.close({ text: reason, final: true });
  }

  /** Nobody listens at the other end; the port refuses to send. */
  write(): void {}

  pause(): void {}

  resume(): void {}

  sendBreak(): Promise<void> {
    return Promise.reject(new Error('this line takes no break'));
  }

  async end(): Promise<void> {}

  destroy(): void {}
}
