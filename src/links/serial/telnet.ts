import type { ByteConnection, ByteLink, ConnectionEvents } from '../byte-link.ts';
import { Breather } from './breather.ts';
import { TelnetCodec } from './telnet-codec.ts';

/** The telnet protocol over another link, normally TCP: options are answered, bytes are escaped, BREAK works. */
export function telnetLink(inner: ByteLink): ByteLink {
  return {
    target: `telnet over ${inner.target}`,
    ...(inner.onReturn && { onReturn: (returned) => inner.onReturn?.(returned) ?? (() => {}) }),
    open: async (signal) => new TelnetConnection(await inner.open(signal)),
  };
}

class TelnetConnection implements ByteConnection {
  readonly #inner: ByteConnection;
  readonly #codec: TelnetCodec;
  readonly #breather: Breather;

  constructor(inner: ByteConnection) {
    this.#inner = inner;
    this.#codec = new TelnetCodec((reply) => inner.write(reply));
    this.#breather = new Breather(inner);
  }

  start(events: ConnectionEvents): void {
    this.#inner.start({
      data: (bytes) => {
        const data = this.#codec.decode(bytes);
        if (data !== bytes) this.#breather.worked(bytes.length);
        if (data.length > 0) events.data(data);
      },
      drain: () => events.drain(),
      close: (reason) => events.close(reason),
    });
  }

  write(bytes: Uint8Array): void {
    this.#inner.write(this.#codec.encode(bytes));
  }

  /** As on the wire: escapes and answers to proposals count. */
  get pendingBytes(): number {
    return this.#inner.pendingBytes;
  }

  pause(): void {
    this.#breather.pause();
  }

  resume(): void {
    this.#breather.resume();
  }

  /** The other side chooses the length: the protocol has no word for it. */
  sendBreak(): Promise<void> {
    this.#inner.write(TelnetCodec.breakCommand);
    return Promise.resolve();
  }

  end(drainMs: number): Promise<void> {
    return this.#inner.end(drainMs);
  }

  destroy(): void {
    this.#inner.destroy();
  }
}
