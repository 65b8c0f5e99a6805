import type { ByteConnection, ByteLink, ConnectionEvents } from '../../../links/byte-link.ts';

/** Bytes of the guest's that may wait for whoever reads the port: some minutes at the highest speed. */
const mostWaiting = 1024 * 1024;

/** The wire of a serial port inside the process: what the guest sends comes out, what is written waits for it. */
export class UartLink implements ByteConnection {
  readonly link: ByteLink;
  readonly #room: () => number;
  readonly #receive: (bytes: Uint8Array) => void;
  #events: ConnectionEvents | undefined;
  #toGuest: Uint8Array[] = [];
  #fromGuest: number[] = [];
  #paused = false;
  #lost = 0;

  constructor(name: string, room: () => number, receive: (bytes: Uint8Array) => void) {
    this.#room = room;
    this.#receive = receive;
    this.link = { target: name, open: async () => this };
  }

  /** A byte of the guest's. */
  transmitted(byte: number): void {
    if (this.#fromGuest.length < mostWaiting) this.#fromGuest.push(byte);
    else this.#lost++;
  }

  /** Bytes of the guest's that nobody took in time, since it was asked last. */
  takeLost(): number {
    const lost = this.#lost;
    this.#lost = 0;
    return lost;
  }

  /** Called between slices: passes on what came and what the guest has room for. */
  pump(): void {
    if (this.#fromGuest.length > 0 && this.#events && !this.#paused) {
      this.#events.data(Uint8Array.from(this.#fromGuest.splice(0)));
    }
    const had = this.#toGuest.length > 0;
    for (let room = this.#room(); room > 0 && this.#toGuest.length > 0; room = this.#room()) {
      const first = this.#toGuest.shift() ?? new Uint8Array();
      const now = first.subarray(0, room);
      if (now.length < first.length) this.#toGuest.unshift(first.subarray(room));
      this.#receive(now.slice());
    }
    if (had && this.#toGuest.length === 0) this.#events?.drain();
  }

  start(events: ConnectionEvents): void {
    this.#events = events;
    this.pump();
  }

  write(bytes: Uint8Array): void {
    this.#toGuest.push(bytes.slice());
    this.pump();
  }

  get pendingBytes(): number {
    return this.#toGuest.reduce((sum, { length }) => sum + length, 0);
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.pump();
  }

  async sendBreak(): Promise<void> {
    throw new Error('this serial port cannot show a break to its program');
  }

  async end(): Promise<void> {
    this.#events?.close({ text: 'the machine was stopped', final: true });
    this.#events = undefined;
  }

  destroy(): void {
    void this.end();
  }
}
