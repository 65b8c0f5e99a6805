import type { Socket } from 'node:net';
import type { ByteRing } from './byte-ring.ts';
import { EscapeFilter } from './escape-filter.ts';

const sliceBytes = 256 * 1024;
const inFlightLimitBytes = 1024 * 1024;
/** With bytes still in flight, fewer than these wait for them instead of filling the socket's list with crumbs. */
const worthQueueingBytes = 64 * 1024;
const filterBytes = 64 * 1024;
/** So much is filtered in one go before others get their turn. */
const filterTurnBytes = 512 * 1024;

export interface OutputClientOptions {
  readonly ring: ByteRing;
  readonly socket: Socket;
  readonly historyLines: number;
  /** Filter what comes live too, not only the history. */
  readonly filterLive: boolean;
  /** Some bytes have left. */
  progress(): void;
}

/** One person's program on the output socket: a place in the ring, and what is on its way from there. */
export class OutputClient {
  readonly #ring: ByteRing;
  readonly #socket: Socket;
  readonly #options: OutputClientOptions;
  readonly #historyEnd: number;
  #filter: EscapeFilter | undefined;
  #position: number;
  #inFlight = 0;
  #ended = false;
  #filtering: NodeJS.Immediate | undefined;

  constructor(options: OutputClientOptions) {
    this.#options = options;
    this.#ring = options.ring;
    this.#socket = options.socket;
    this.#position = options.ring.lastLines(options.historyLines);
    this.#historyEnd = options.ring.end;
    this.#filter = new EscapeFilter();
    this.#dropFilterAfterHistory();
  }

  /** Offset of the next byte that goes to the socket. */
  get position(): number {
    return this.#position;
  }

  /** More on its way than a client is meant to have, because nothing was to be left behind. */
  get overfull(): boolean {
    return this.#inFlight > 2 * inFlightLimitBytes;
  }

  /** Hands bytes to the socket as long as it takes them; `all` of them where nothing may be left behind. */
  pump(all = false): void {
    const limit = all ? Number.POSITIVE_INFINITY : inFlightLimitBytes;
    let filtered = 0;
    if (this.#ended) return;
    while (this.#position < this.#ring.end && this.#inFlight < limit && !this.#socket.destroyed) {
      if (!all && this.#inFlight > 0 && this.#ring.end - this.#position < worthQueueingBytes) return;
      if (this.#position < this.#ring.start) {
        this.#skipGap();
      } else if (!this.#filter) {
        this.#send(Math.min(sliceBytes, limit - this.#inFlight));
      } else if (all || filtered < filterTurnBytes) {
        filtered += this.#sendFiltered(this.#filter);
      } else {
        this.#filtering ??= setImmediate(() => {
          this.#filtering = undefined;
          this.pump();
          this.#options.progress();
        });
        return;
      }
    }
  }

  /** Sends what is left and then closes. */
  end(): void {
    this.pump(true);
    this.#ended = true;
    this.#socket.end();
  }

  destroy(): void {
    clearImmediate(this.#filtering);
    this.#socket.destroy();
  }

  #send(maxBytes: number): void {
    const loan = this.#ring.lend(this.#position, maxBytes);
    this.#position += loan.bytes.length;
    this.#write(loan.bytes, loan.giveBack);
  }

  #sendFiltered(filter: EscapeFilter): number {
    const inHistory = this.#position < this.#historyEnd;
    const until = inHistory ? this.#historyEnd : this.#ring.end;
    const bytes = this.#ring.slice(this.#position, Math.min(filterBytes, until - this.#position));
    const { passed, taken } =
      inHistory || this.#options.filterLive
        ? { passed: filter.filter(bytes), taken: bytes.length }
        : filter.filterToGround(bytes);
    this.#position += taken;
    this.#dropFilterAfterHistory();
    if (passed.length > 0) this.#write(passed);
    return taken;
  }

  #skipGap(): void {
    const missed = this.#ring.start - this.#position;
    this.#position = this.#ring.start;
    if (this.#filter) this.#filter = new EscapeFilter();
    this.#dropFilterAfterHistory();
    this.#write(Buffer.from(`\r\n[frontpanel: gap of ${missed} bytes]\r\n`));
  }

  #dropFilterAfterHistory(): void {
    if (this.#options.filterLive || this.#position < this.#historyEnd) return;
    if (this.#filter?.atGround) this.#filter = undefined;
  }

  #write(bytes: Uint8Array, left?: () => void): void {
    this.#inFlight += bytes.length;
    this.#socket.write(bytes, (error) => {
      this.#inFlight -= bytes.length;
      left?.();
      if (error) return;
      this.pump();
      this.#options.progress();
    });
  }
}
