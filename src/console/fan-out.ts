import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ByteRing } from './byte-ring.ts';
import { OutputClient } from './output-client.ts';

/** Patience is counted in ticks, so that a pause of this whole process is not taken for one of a client. */
const ticksToStall = 10;

/**
 * What a client that does not keep up may do to the line: `drop` holds the line back for a moment and then leaves
 * the client behind with a counted gap; `hold` waits for as long as it takes.
 */
export type FlowPolicy = 'drop' | 'hold';

export interface FanOutOptions {
  readonly historyLines: number;
  readonly filterLive: boolean;
  readonly flow: FlowPolicy;
  /** How long a client may hold the line back before it counts as stalled. */
  readonly stallMs: number;
  /** Stop and restart the flow of bytes into the ring. */
  hold(): void;
  release(): void;
}

interface Watcher {
  readonly client: OutputClient;
  readonly closed: Promise<void>;
  /** Runs while it holds the line back. */
  holdTimer: NodeJS.Timeout | undefined;
  holdTicks: number;
  holding: boolean;
  /** Held the line back for too long; it must catch up before it may do so again. */
  stalled: boolean;
}

/** Feeds every output client from the ring, each at its own pace. */
export class FanOut {
  readonly #ring: ByteRing;
  readonly #options: FanOutOptions;
  readonly #watchers = new Set<Watcher>();
  #held = false;

  constructor(ring: ByteRing, options: FanOutOptions) {
    this.#ring = ring;
    this.#options = options;
  }

  get size(): number {
    return this.#watchers.size;
  }

  add(socket: Socket): void {
    const { historyLines, filterLive } = this.#options;
    const progress = () => this.#check(watcher);
    const client = new OutputClient({ ring: this.#ring, socket, historyLines, filterLive, progress });
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const watcher: Watcher = { client, closed, holdTimer: undefined, holdTicks: 0, holding: false, stalled: false };
    this.#watchers.add(watcher);
    void closed.then(() => this.#remove(watcher));
    socket.on('error', () => {});
    // A peer that only said it will not write may still read; an empty write finds out whether it is gone.
    socket.on('end', () => socket.write(Buffer.alloc(0), () => {}));
    socket.resume();
    client.pump();
    this.#check(watcher);
  }

  /** To be called before `bytes` are appended: who keeps up loses nothing, even from a ring smaller than a chunk. */
  makeRoom(bytes: number): void {
    const start = this.#ring.end + bytes - this.#ring.capacity;
    if (start <= 0) return;
    for (const { client, stalled } of this.#watchers) if (!stalled && client.position < start) client.pump(true);
  }

  /** To be called after bytes were appended. */
  flush(): void {
    for (const watcher of this.#watchers) {
      watcher.client.pump();
      this.#check(watcher);
    }
  }

  /** Sends everybody the rest, at most `drainMs` long. */
  async close(drainMs: number): Promise<void> {
    if (this.#watchers.size === 0) return;
    const watchers = [...this.#watchers];
    for (const { client } of watchers) client.end();
    const patience = new AbortController();
    const late = delay(drainMs, undefined, { signal: patience.signal }).catch(() => {});
    await Promise.race([Promise.all(watchers.map(({ closed }) => closed)), late]);
    patience.abort();
    for (const { client } of watchers) client.destroy();
  }

  #check(watcher: Watcher): void {
    const lag = this.#ring.end - watcher.client.position;
    const { overfull } = watcher.client;
    if (lag <= this.#ring.capacity / 4 && !overfull) {
      watcher.stalled = false;
      this.#letGo(watcher);
    } else if (
      (lag > this.#ring.capacity / 2 || overfull) &&
      !watcher.stalled &&
      !watcher.holding &&
      this.#watchers.has(watcher)
    ) {
      watcher.holding = true;
      watcher.holdTicks = 0;
      if (this.#options.flow === 'drop') {
        watcher.holdTimer = setInterval(() => this.#holdTick(watcher), this.#options.stallMs / ticksToStall);
      }
      this.#holdOrRelease();
    }
  }

  #holdTick(watcher: Watcher): void {
    if (++watcher.holdTicks < ticksToStall) return;
    watcher.stalled = true;
    this.#letGo(watcher);
  }

  #letGo(watcher: Watcher): void {
    if (!watcher.holding) return;
    watcher.holding = false;
    clearInterval(watcher.holdTimer);
    this.#holdOrRelease();
  }

  #remove(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    this.#letGo(watcher);
  }

  #holdOrRelease(): void {
    const held = [...this.#watchers].some((watcher) => watcher.holding);
    if (held === this.#held) return;
    this.#held = held;
    if (held) this.#options.hold();
    else this.#options.release();
  }
}
