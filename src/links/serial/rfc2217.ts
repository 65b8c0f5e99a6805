import { setTimeout as sleep } from 'node:timers/promises';
import type { ByteConnection, ByteLink, ConnectionEvents, LineSettings, SerialControl } from '../byte-link.ts';
import { Breather } from './breather.ts';
import { ComPort } from './com-port.ts';
import { TelnetCodec } from './telnet-codec.ts';

/** What may wait for `start` before the other side is told to wait. */
const maxHeldBytes = 64 * 1024;

/**
 * A serial port of another computer, by the telnet option of RFC 2217: data as over telnet, and beside it speed,
 * framing, control lines, BREAK and what the port reports. Settings that are not given stay as the port has them.
 */
export function rfc2217Link(inner: ByteLink, wanted: Partial<LineSettings> = {}): ByteLink {
  let settings = wanted;
  return {
    target: `rfc2217 over ${inner.target}`,
    ...(inner.onReturn && { onReturn: (returned) => inner.onReturn?.(returned) ?? (() => {}) }),
    async open(signal) {
      const connection = new Rfc2217Connection(await inner.open(signal), (changed) => {
        settings = { ...settings, ...changed };
      });
      try {
        await connection.negotiate(settings, signal);
        return connection;
      } catch (error) {
        connection.destroy();
        throw error;
      }
    },
  };
}

class Rfc2217Connection implements ByteConnection {
  readonly serial: SerialControl;
  readonly #inner: ByteConnection;
  readonly #port: ComPort;
  readonly #codec: TelnetCodec;
  readonly #breather: Breather;
  #events: ConnectionEvents | undefined;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #closed: Parameters<ConnectionEvents['close']>[0] | undefined;
  #paused = false;
  /** What was written while the port told us to wait. */
  #suspended: Uint8Array[] | undefined;

  constructor(inner: ByteConnection, changed: (settings: Partial<LineSettings>) => void) {
    this.#inner = inner;
    this.#breather = new Breather(inner);
    this.#port = new ComPort({
      send: (payload) => inner.write(this.#codec.subnegotiation(payload)),
      notice: (text) => this.#events?.notice?.(text),
      suspend: (isSuspended) => this.#suspend(isSuspended),
    });
    this.#codec = new TelnetCodec((reply) => inner.write(reply), this.#port);
    this.serial = this.#port.control(changed);
    inner.start({
      data: (bytes) => {
        const data = this.#codec.decode(bytes);
        if (data !== bytes) this.#breather.worked(bytes.length);
        this.#receive(data);
      },
      drain: () => this.#events?.drain(),
      close: (reason) => {
        this.#closed = reason;
        this.#port.close(reason.text);
        if (this.#heldBytes === 0) this.#events?.close(reason);
      },
    });
  }

  /** Offers the option and sets what is wanted; rejects where the other side does not know it. */
  async negotiate(wanted: Partial<LineSettings>, signal: AbortSignal): Promise<void> {
    const cancel = () => this.#port.close('the attempt was cancelled');
    signal.addEventListener('abort', cancel, { once: true });
    try {
      this.#codec.begin();
      await this.#port.begin(wanted);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  start(events: ConnectionEvents): void {
    this.#events = events;
    queueMicrotask(() => this.#release());
  }

  write(bytes: Uint8Array): void {
    if (this.#suspended) this.#suspended.push(Buffer.from(bytes));
    else this.#inner.write(this.#codec.encode(bytes));
  }

  /** As on the wire: escapes and commands to the port count. */
  get pendingBytes(): number {
    return (this.#suspended ?? []).reduce((sum, bytes) => sum + bytes.length, this.#inner.pendingBytes);
  }

  pause(): void {
    this.#paused = true;
    this.#breather.pause();
  }

  resume(): void {
    this.#paused = false;
    queueMicrotask(() => this.#release());
  }

  async sendBreak(durationMs: number): Promise<void> {
    await this.#port.setBreak(true);
    await sleep(durationMs);
    await this.#port.setBreak(false);
  }

  end(drainMs: number): Promise<void> {
    return this.#inner.end(drainMs);
  }

  destroy(): void {
    this.#port.close('closed from this side');
    this.#inner.destroy();
  }

  #receive(data: Uint8Array): void {
    if (data.length === 0) return;
    if (this.#events && !this.#paused && this.#heldBytes === 0) {
      this.#events.data(data);
      return;
    }
    this.#held.push(Buffer.from(data));
    this.#heldBytes += data.length;
    if (this.#heldBytes > maxHeldBytes) this.#breather.pause();
  }

  #release(): void {
    if (!this.#events || this.#paused) return;
    for (let piece = this.#held.shift(); piece; piece = this.#held.shift()) {
      this.#heldBytes -= piece.length;
      this.#events.data(piece);
      if (this.#paused) return;
    }
    if (this.#closed) this.#events.close(this.#closed);
    else this.#breather.resume();
  }

  #suspend(isSuspended: boolean): void {
    if (isSuspended) {
      this.#suspended ??= [];
      return;
    }
    const waiting = this.#suspended ?? [];
    this.#suspended = undefined;
    for (const bytes of waiting) this.write(bytes);
    if (waiting.length > 0 && this.#inner.pendingBytes === 0) this.#events?.drain();
  }
}
