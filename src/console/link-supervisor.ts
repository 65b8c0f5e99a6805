import { setTimeout as delay } from 'node:timers/promises';
import type { ByteConnection, ByteLink, SerialControl } from '../links/byte-link.ts';
import type { LinkStatus, SerialLine } from '../machine/console.ts';
import { MachineError } from '../machine/errors.ts';
import type { ReportedEvent } from '../machine/events.ts';
import { Backoff } from './backoff.ts';

export interface SupervisorEvents {
  /** The bytes are only valid during the call. */
  data(bytes: Uint8Array): void;
  /** The link came up, or everything handed over has left. */
  writable(): void;
  /** The other side is gone for good. Answers how many bytes will never leave. */
  ended(): number;
  changed(): void;
  report(event: ReportedEvent): void;
}

const noticeMs = 1000;

/** Keeps one link up: connects, reconnects on its own, says what happened. */
export class LinkSupervisor {
  readonly #link: ByteLink;
  readonly #events: SupervisorEvents;
  readonly #backoff: Backoff;
  #connection: ByteConnection | undefined;
  #attempt: AbortController | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  /** Stops watching for the other side's return; watched from the loss of the link until it is up again. */
  #unwatch: (() => void) | undefined;
  /** It returned while an attempt was under way. */
  #returned = false;
  #closing = false;
  readonly #holders = new Set<string>();

  #state: LinkStatus['state'] = 'down';
  #since = Date.now();
  /** Of `performance.now()`, as `#retryAt`. */
  #changedAt = performance.now();
  #retryAt: number | undefined;
  #attempts = 0;
  #reportedDelayMs: number | undefined;
  #lastError: string | undefined;
  #losses = 0;
  #heard = false;
  /** Of `performance.now()`. */
  #heardAt = performance.now();
  #bytesIn = 0;
  #bytesHandedOver = 0;
  #bytesLost = 0;
  #noticedAt = Number.NEGATIVE_INFINITY;
  /** `pendingBytes` as last seen: a destroyed socket no longer tells. */
  #lastPending = 0;

  constructor(link: ByteLink, events: SupervisorEvents, backoff = new Backoff()) {
    this.#link = link;
    this.#events = events;
    this.#backoff = backoff;
  }

  get status(): Omit<LinkStatus, 'queuedBytes'> {
    return {
      state: this.#state,
      target: this.#link.target,
      since: this.#since,
      lastedMs: Math.round(performance.now() - this.#changedAt),
      ...(this.#retryAt !== undefined && { retryInMs: Math.max(0, Math.round(this.#retryAt - performance.now())) }),
      attempts: this.#attempts,
      ...(this.#lastError !== undefined && { lastError: this.#lastError }),
      losses: this.#losses,
      bytesIn: this.#bytesIn,
      bytesOut: this.#bytesHandedOver - this.#bytesLost - this.pendingBytes,
      heardSinceUp: this.#heard,
      silentMs: Math.round(performance.now() - this.#heardAt),
    };
  }

  get up(): boolean {
    return this.#state === 'up';
  }

  get ended(): boolean {
    return this.#state === 'ended';
  }

  get pendingBytes(): number {
    return this.#connection?.pendingBytes ?? 0;
  }

  start(): void {
    void this.#connect();
  }

  /** Only while `up`. */
  write(bytes: Uint8Array): void {
    if (!this.#connection) throw new Error('write to a link that is not up');
    this.#bytesHandedOver += bytes.length;
    this.#lastPending += bytes.length;
    this.#connection.write(bytes);
    this.#lastPending = this.pendingBytes;
  }

  /** Stops the flow of bytes until everybody who holds it has released it, also across a reconnect. */
  hold(holder: string): void {
    this.#holders.add(holder);
    this.#connection?.pause();
  }

  release(holder: string): void {
    if (this.#holders.delete(holder) && this.#holders.size === 0) this.#connection?.resume();
  }

  /** Settings and control lines of the link that is up, if it has them; failures are told as such. */
  get serial(): SerialLine | undefined {
    const serial = this.up ? this.#connection?.serial : undefined;
    return serial && told(serial, this.#link.target);
  }

  /** Drops the link, if there is one, and connects at once as if for the first time. */
  restart(): void {
    if (this.ended) {
      throw new MachineError('WRONG_STATE', `${this.#link.target} has ended.`, 'Stop the machine and start it again.');
    }
    const connection = this.#connection;
    this.#connection = undefined;
    this.#bytesLost += connection?.pendingBytes ?? 0;
    connection?.destroy();
    this.#attempt?.abort();
    this.#backoff.reset();
    this.#attempts = 0;
    this.#report('link_restarted', `Link restarted: ${this.#link.target}`, {});
    void this.#connect();
  }

  async sendBreak(durationMs: number): Promise<void> {
    const connection = this.#connection;
    if (!connection || !this.up) {
      throw new MachineError('LINK_DOWN', `No link to ${this.#link.target}.`, 'Wait for the event link_up and retry.');
    }
    try {
      await connection.sendBreak(durationMs);
    } catch (error) {
      if (error instanceof MachineError) throw error;
      const message = `${this.#link.target} cannot send a break: ${textOf(error)}`;
      throw new MachineError('UNAVAILABLE', message, 'Use a serial device or telnet link.', {}, { cause: error });
    }
  }

  /** Lets what was handed over leave, at most `drainMs` long, and never comes back. */
  async close(drainMs: number): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    clearTimeout(this.#retryTimer);
    this.#unwatch?.();
    this.#attempt?.abort();
    const connection = this.#connection;
    if (connection) {
      connection.resume();
      const patience = new AbortController();
      const late = delay(drainMs + 20, undefined, { signal: patience.signal }).catch(() => {});
      await Promise.race([connection.end(drainMs).catch(() => {}), late]);
      patience.abort();
      this.#bytesLost += connection.pendingBytes;
      connection.destroy();
      this.#connection = undefined;
    }
    this.#change('ended');
  }

  async #connect(): Promise<void> {
    if (this.#closing) return;
    clearTimeout(this.#retryTimer);
    this.#returned = false;
    this.#attempts++;
    this.#retryAt = undefined;
    this.#change('connecting');
    const attempt = new AbortController();
    this.#attempt = attempt;
    try {
      const connection = await this.#link.open(attempt.signal);
      if (this.#attempt !== attempt || this.#closing) return connection.destroy();
      this.#attempt = undefined;
      this.#connected(connection);
    } catch (error) {
      if (this.#attempt !== attempt || this.#closing) return;
      this.#attempt = undefined;
      if (this.#returned) await this.#connect();
      else this.#failed(textOf(error));
    }
  }

  #connected(connection: ByteConnection): void {
    this.#connection = connection;
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#heard = false;
    this.#lastPending = 0;
    this.#reportedDelayMs = undefined;
    this.#lastError = undefined;
    this.#backoff.linkUp();
    this.#change('up');
    this.#report('link_up', `Link up: ${this.#link.target}`, { attempts: this.#attempts });
    connection.start({
      data: (bytes) => {
        this.#heard = true;
        this.#heardAt = performance.now();
        this.#bytesIn += bytes.length;
        this.#events.data(bytes);
      },
      drain: () => {
        this.#lastPending = 0;
        this.#events.writable();
      },
      notice: (text) => this.#notice(text),
      close: (reason) => this.#disconnected(connection, reason),
    });
    if (this.#connection !== connection) return;
    if (this.#holders.size > 0) connection.pause();
    this.#events.writable();
  }

  #disconnected(connection: ByteConnection, reason: { readonly text: string; readonly final: boolean }): void {
    if (this.#closing || this.#connection !== connection) return;
    const unsentBytes = connection.pendingBytes || this.#lastPending;
    this.#connection = undefined;
    this.#bytesLost += unsentBytes;
    this.#losses++;
    this.#lastError = reason.text;
    this.#attempts = 0;
    const lost = unsentBytes > 0 ? `; ${unsentBytes} bytes handed over may be lost` : '';
    const data = { reason: reason.text, unsentBytes };
    if (reason.final) {
      this.#change('ended');
      const refusedBytes = this.#events.ended();
      const queued = refusedBytes > 0 ? `; ${refusedBytes} queued bytes were not sent` : '';
      this.#report('link_ended', `Link ended: ${reason.text}${lost}${queued}`, { ...data, refusedBytes });
      return;
    }
    const { nominalMs, delayMs } = this.#retryLater();
    this.#report('link_lost', `Link lost: ${reason.text}${lost}; next attempt in ${seconds(nominalMs)}`, {
      ...data,
      retryInMs: delayMs,
    });
  }

  #failed(message: string): void {
    this.#lastError = message;
    const { nominalMs, delayMs } = this.#retryLater();
    if (nominalMs === this.#reportedDelayMs) return;
    this.#reportedDelayMs = nominalMs;
    this.#report('link_retry', `No link: ${message}; next attempt in ${seconds(nominalMs)}`, {
      reason: message,
      attempts: this.#attempts,
      retryInMs: delayMs,
    });
  }

  #retryLater(): { readonly nominalMs: number; readonly delayMs: number } {
    const wait = this.#backoff.next();
    this.#retryAt = performance.now() + wait.delayMs;
    this.#retryTimer = setTimeout(() => void this.#connect(), wait.delayMs);
    this.#watchForReturn();
    this.#change('down');
    return wait;
  }

  #watchForReturn(): void {
    this.#unwatch ??= this.#link.onReturn?.(() => {
      this.#unwatch = undefined;
      this.#returned = true;
      if (this.#state === 'down') void this.#connect();
    });
  }

  /** A line that chatters about its wires is quoted once a second. */
  #notice(text: string): void {
    const now = performance.now();
    if (now - this.#noticedAt < noticeMs) return;
    this.#noticedAt = now;
    this.#report('line_notice', `${this.#link.target}: ${text}`, { notice: text });
  }

  #change(state: LinkStatus['state']): void {
    this.#state = state;
    this.#since = Date.now();
    this.#changedAt = performance.now();
    this.#events.changed();
  }

  #report(type: string, text: string, data: Record<string, unknown>): void {
    this.#events.report({ type, text, data: { target: this.#link.target, ...data } });
  }
}

function told(serial: SerialControl, target: string): SerialLine {
  const failing = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      const message = `${target}: ${textOf(error)}.`;
      throw new MachineError(
        'UNAVAILABLE',
        message,
        'Use a device or an RFC 2217 port that has it.',
        {},
        { cause: error },
      );
    }
  };
  return {
    get settings() {
      return serial.settings;
    },
    configure: (wanted) => failing(serial.configure(wanted)),
    setLines: (lines) => failing(serial.setLines(lines)),
    readLines: () => failing(serial.readLines()),
    purge: (what) => failing(serial.purge(what)),
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
