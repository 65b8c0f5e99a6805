import { read, write } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { SerialPort } from 'serialport';
import type { ByteConnection, ConnectionEvents, LineSettings, SerialControl } from '../byte-link.ts';
import { closedHere, describeError, errorCode } from './reasons.ts';
import { slowCall } from './slow-calls.ts';

type OpenPort = Awaited<ReturnType<typeof SerialPort.binding.open>>;
export type UnixPort = Extract<OpenPort, { readonly poller: unknown }>;
type CloseReason = Parameters<ConnectionEvents['close']>[0];

const readBytes = promisify(read);
const writeBytes = promisify(write);

const readBufferBytes = 64 * 1024;
/** As libuv numbers them. */
const pollFlags = { readable: 1, writable: 2 } as const;
/** Closing a device whose line is held up can take the kernel half a minute; nobody waits that long. */
const closeMs = 1000;
/** How long bytes written before a BREAK may take to get out of its way. */
const beforeBreakMs = 5000;

type Wires = Parameters<UnixPort['set']>[0];

/**
 * An open device. The package serialport opens and configures it and tells when it is ready; the bytes are read and
 * written here, because the package's own reading spins for ever on a device that has vanished (it takes a read of
 * nothing for a read to be repeated).
 */
export class DeviceConnection implements ByteConnection {
  readonly serial: SerialControl;
  readonly #port: UnixPort;
  readonly #fd: number;
  #events: ConnectionEvents | undefined;
  #paused = false;
  #awaited = 0;
  #queue: Uint8Array[] = [];
  #pendingBytes = 0;
  #writing: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #closing: Promise<void> | undefined;
  #reason: CloseReason | undefined;
  /** The device takes all of its wires at once. */
  #wires: Wires = { brk: false, cts: false, dsr: false, dtr: true, rts: true };

  /** `changed` is told of settings that are to outlive this connection. */
  constructor(port: UnixPort, settings: LineSettings, changed: (settings: LineSettings) => void) {
    if (port.fd === null) throw new Error('the device is not open');
    this.#port = port;
    this.#fd = port.fd;
    this.serial = this.#serialControl(settings, changed);
  }

  start(events: ConnectionEvents): void {
    this.#events = events;
    if (this.#closing) void this.#closing.then(() => this.#announceClose());
    else this.#reading = this.#readAll(events);
  }

  write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#pendingBytes += bytes.length;
    if (this.#closing) return;
    this.#queue.push(Buffer.from(bytes));
    this.#writing ??= this.#writeAll();
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#wake?.();
  }

  async sendBreak(durationMs: number): Promise<void> {
    await this.#left(beforeBreakMs);
    if (this.#pendingBytes > 0 || !(await this.#drained(beforeBreakMs))) {
      throw new Error('the bytes written before the BREAK do not leave');
    }
    await this.#setBreak(true);
    await sleep(durationMs);
    await this.#setBreak(false);
  }

  async end(drainMs: number): Promise<void> {
    const until = performance.now() + drainMs;
    await this.#left(drainMs);
    const drained = this.#pendingBytes === 0 && (await this.#drained(until - performance.now()));
    await this.#close(closedHere, !drained);
  }

  destroy(): void {
    void this.#close(closedHere, true);
  }

  async #readAll(events: ConnectionEvents): Promise<void> {
    const buffer = new Uint8Array(readBufferBytes);
    try {
      while (!this.#closing) {
        const length = await this.#read(buffer);
        while (this.#paused && !this.#closing) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
        if (this.#closing) return;
        if (length > 0) events.data(buffer.subarray(0, length));
      }
    } catch (error) {
      this.#lose(error);
    }
  }

  /** The number of bytes read; none when there was only a sign that some can be. */
  async #read(buffer: Uint8Array): Promise<number> {
    try {
      const { bytesRead } = await readBytes(this.#fd, buffer, 0, buffer.length, null);
      if (bytesRead === 0) throw new Error('the device was unplugged or its other side was closed');
      return bytesRead;
    } catch (error) {
      if (!isNotReady(error)) throw error;
      await this.#ready('readable');
      return 0;
    }
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#queue.length > 0 && !this.#closing) {
        const batch = this.#queue.length === 1 ? this.#queue[0] : Buffer.concat(this.#queue);
        this.#queue = [];
        if (batch) await this.#writeBatch(batch);
      }
    } catch (error) {
      this.#lose(error);
    } finally {
      this.#writing = undefined;
    }
    if (this.#pendingBytes === 0 && !this.#closing) this.#events?.drain();
  }

  async #writeBatch(batch: Uint8Array): Promise<void> {
    let at = 0;
    while (at < batch.length && !this.#closing) {
      try {
        const { bytesWritten } = await writeBytes(this.#fd, batch, at, batch.length - at, null);
        at += bytesWritten;
        this.#pendingBytes -= bytesWritten;
      } catch (error) {
        if (!isNotReady(error)) throw error;
        await this.#ready('writable');
      }
    }
  }

  async #ready(event: 'readable' | 'writable'): Promise<void> {
    if (this.#closing) return;
    const { poller } = this.#port;
    this.#awaited |= pollFlags[event];
    await new Promise<void>((resolve, reject) => {
      poller.once(event, (error: Error | null) => {
        this.#awaited &= ~pollFlags[event];
        if (error) reject(error);
        else resolve();
      });
      // Waiting for one event makes the package forget the other: two sides that write could then never read again.
      poller.poll(this.#awaited);
    });
  }

  /** Waits for what was written to reach the kernel. */
  async #left(timeoutMs: number): Promise<void> {
    const until = performance.now() + timeoutMs;
    while (this.#writing && performance.now() < until) {
      await fulfilledWithin(this.#writing, until - performance.now());
    }
  }

  /** Waits for what the kernel has to be on the wire. */
  #drained(timeoutMs: number): Promise<boolean> {
    const drained = slowCall('waiting for the line', () => this.#port.drain(), timeoutMs);
    return fulfilledWithin(drained, timeoutMs);
  }

  #serialControl(initial: LineSettings, changed: (settings: LineSettings) => void): SerialControl {
    let settings = initial;
    return {
      get settings() {
        return settings;
      },
      configure: async (wanted) => {
        const { baudRate, ...others } = wanted;
        const fixed = Object.entries(others).filter(([key, value]) => value !== Reflect.get(settings, key));
        if (fixed.length > 0) {
          const names = fixed.map(([key]) => key).join(', ');
          throw new Error(`only the speed of an open device can be changed; ${names} is set when it is opened`);
        }
        if (baudRate !== undefined) {
          await this.#whileOpen('the speed', () => this.#port.update({ baudRate }));
          settings = { ...settings, baudRate };
          changed(settings);
        }
        return settings;
      },
      setLines: (lines) => this.#setWires(lines, 'the control lines'),
      readLines: async () => {
        const { cts, dsr, dcd } = await this.#whileOpen('the control lines', () => this.#port.get());
        return { cts, dsr, dcd };
      },
      purge: () => this.#whileOpen('the buffers', () => this.#port.flush()),
    };
  }

  async #setWires(wires: Partial<Wires>, what: string): Promise<void> {
    const wanted = { ...this.#wires, ...wires };
    await this.#whileOpen(what, () => this.#port.set(wanted));
    this.#wires = wanted;
  }

  async #whileOpen<T>(what: string, call: () => Promise<T>): Promise<T> {
    if (this.#closing) throw new Error('the device was closed');
    try {
      return await call();
    } catch (error) {
      const text = describeError(error);
      const isPseudo = /inappropriate ioctl|invalid argument/i.test(text);
      const reason = isPseudo ? 'this device has none: a pseudo terminal has no such wires (ENOTTY)' : text;
      throw new Error(`${what} cannot be reached: ${reason}`, { cause: error });
    }
  }

  async #setBreak(brk: boolean): Promise<void> {
    if (this.#closing) throw new Error('the device was closed');
    const wires = { ...this.#wires, brk };
    try {
      await this.#port.set(wires);
      this.#wires = wires;
    } catch (error) {
      const text = describeError(error);
      throw new Error(
        /inappropriate ioctl/i.test(text)
          ? 'this device cannot send a BREAK: a pseudo terminal has no line to hold (ENOTTY)'
          : `the BREAK failed: ${text}`,
        { cause: error },
      );
    }
  }

  #lose(error: unknown): void {
    if (this.#closing) return;
    const text = describeError(error);
    // What the poller calls a bad descriptor is a device that hung up.
    const gone = /bad file descriptor/i.test(text) ? 'the device was unplugged or its other side was closed' : text;
    void this.#close({ text: gone, final: false }, true);
  }

  #close(reason: CloseReason, discard: boolean): Promise<void> {
    this.#closing ??= this.#shut(reason, discard);
    return this.#closing;
  }

  async #shut(reason: CloseReason, discard: boolean): Promise<void> {
    this.#reason = reason;
    if (discard) await this.#port.flush().catch(() => {});
    this.#port.poller.stop();
    this.#wake?.();
    // The number of the descriptor must not be given to another file while a thread still reads from it.
    await Promise.all([this.#reading, this.#writing]);
    await fulfilledWithin(this.#port.close(), closeMs);
    this.#announceClose();
  }

  #announceClose(): void {
    if (!this.#reason || !this.#events) return;
    const reason = this.#reason;
    this.#reason = undefined;
    this.#events.close(reason);
  }
}

function isNotReady(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'EAGAIN' || code === 'EWOULDBLOCK' || code === 'EINTR';
}

/** Whether the promise was fulfilled in time. */
async function fulfilledWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const done = promise.then(
    () => true,
    () => false,
  );
  const timer = new AbortController();
  const late = sleep(Math.max(0, timeoutMs), false, { signal: timer.signal }).catch(() => false);
  const result = await Promise.race([done, late]);
  timer.abort();
  return result;
}
