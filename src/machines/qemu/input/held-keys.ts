import type { QemuSession } from '../qemu-session.ts';

/**
 * The keys that are down. QEMU drops what is sent while the guest is stopped; so a key that is let go meanwhile is
 * let go when the guest goes on, and does not stick.
 */
export class HeldKeys {
  readonly #session: QemuSession;
  #wanted: readonly string[] = [];
  #down: readonly string[] = [];
  /** The process that has them. */
  #client: unknown;
  #last: Promise<void> = Promise.resolve();

  constructor(session: QemuSession) {
    this.#session = session;
    session.onEvent(({ name }) => {
      if (name === 'RESUME' && this.#changes().length > 0) void this.#settle().catch(() => {});
    });
  }

  get keys(): readonly string[] {
    return this.#wanted;
  }

  /** Exactly these from now on. */
  set(keys: readonly string[]): Promise<void> {
    this.#wanted = [...new Set(keys)];
    return this.#settle();
  }

  /** A held key says itself once more. */
  async repeat(key: string): Promise<void> {
    if (this.#down.includes(key)) await this.#send([keyEvent(key, true)]);
  }

  #settle(): Promise<void> {
    this.#last = this.#last.catch(() => {}).then(() => this.#apply());
    return this.#last;
  }

  async #apply(): Promise<void> {
    const changes = this.#changes();
    if (changes.length === 0 || !(await this.#isRunning())) return;
    const { client } = this.#session;
    const wanted = this.#wanted;
    await this.#send(changes);
    // Between the two looks it may have been stopped; then they are sent again.
    if (!(await this.#isRunning())) return;
    this.#client = client;
    this.#down = wanted;
  }

  #changes() {
    // After a power cycle nothing is down.
    const down = this.#session.isOver || this.#client !== this.#session.client ? [] : this.#down;
    return [
      // In reverse, as fingers do.
      ...[...down].reverse().flatMap((key) => (this.#wanted.includes(key) ? [] : keyEvent(key, false))),
      ...this.#wanted.filter((key) => !down.includes(key)).map((key) => keyEvent(key, true)),
    ];
  }

  async #send(events: readonly unknown[]): Promise<void> {
    await this.#session.execute('input-send-event', { events });
  }

  async #isRunning(): Promise<boolean> {
    return (await this.#session.query('query-status')).running;
  }
}

function keyEvent(key: string, down: boolean) {
  return { type: 'key', data: { down, key: { type: 'qcode', data: key } } };
}
