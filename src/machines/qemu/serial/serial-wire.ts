import type { ByteConnection, ByteLink, ConnectionEvents } from '../../../links/byte-link.ts';
import { unixLink } from '../../../links/serial/unix-link.ts';

interface Witness {
  /** Told of all that comes, before whoever listens. */
  heard(bytes: Uint8Array): void;
  /** Somebody writes, and what comes then may be the echo of that. */
  answered(): void;
}

/**
 * One serial line of the machine. QEMU may be replaced by another process below it: for whoever listens, the line was
 * merely quiet for a moment. It ends when the machine does.
 */
export class SerialWire implements ByteConnection {
  readonly link: ByteLink;
  readonly #path: string;
  readonly #sendBreak: () => Promise<void>;
  readonly #witness: Witness;
  #wire: ByteConnection | undefined;
  #events: ConnectionEvents | undefined;
  #paused = false;
  /** What a replay prints was there before. */
  muted = false;
  #over: string | undefined;
  /** Written while no process was there. */
  #held: Uint8Array[] = [];
  /** The process has ended, and what it said last has been read. */
  #drained: Promise<void> = Promise.resolve();

  constructor(
    path: string,
    target: string,
    sendBreak: () => Promise<void>,
    witness: Witness = { heard: () => {}, answered: () => {} },
  ) {
    this.#path = path;
    this.#witness = witness;
    this.#sendBreak = sendBreak;
    this.link = { target, open: async () => this };
  }

  /** Connects to a process that waits with everything until we are there. */
  async connect(signal: AbortSignal): Promise<void> {
    const wire = await unixLink({ path: this.#path }).open(signal);
    this.#wire = wire;
    if (this.#paused) wire.pause();
    if (this.#events) this.#listen(wire, this.#events);
    for (const bytes of this.#held.splice(0)) wire.write(bytes);
  }

  /** The process is gone: waits until its last words are read. */
  async drained(): Promise<void> {
    await this.#drained;
  }

  /** There will be no other process. */
  finish(reason: string): void {
    if (this.#over !== undefined) return;
    this.#over = reason;
    this.#events?.close({ text: reason, final: true });
  }

  start(events: ConnectionEvents): void {
    this.#events = events;
    if (this.#over !== undefined) events.close({ text: this.#over, final: true });
    else if (this.#wire) this.#listen(this.#wire, events);
  }

  write(bytes: Uint8Array): void {
    this.#witness.answered();
    if (this.#wire) this.#wire.write(bytes);
    else this.#held.push(Buffer.from(bytes));
  }

  get pendingBytes(): number {
    return this.#wire?.pendingBytes ?? this.#held.reduce((sum, { length }) => sum + length, 0);
  }

  pause(): void {
    this.#paused = true;
    this.#wire?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#wire?.resume();
  }

  sendBreak(): Promise<void> {
    return this.#sendBreak();
  }

  async end(drainMs: number): Promise<void> {
    await this.#wire?.end(drainMs);
  }

  destroy(): void {
    this.#wire?.destroy();
  }

  #listen(wire: ByteConnection, events: ConnectionEvents): void {
    this.#drained = new Promise((resolve) => {
      wire.start({
        data: (bytes) => {
          if (this.muted) return;
          this.#witness.heard(bytes);
          events.data(bytes);
        },
        drain: () => events.drain(),
        close: () => {
          if (this.#wire === wire) this.#wire = undefined;
          resolve();
        },
      });
    });
  }
}
