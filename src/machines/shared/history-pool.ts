import { BroadcastChannel } from 'node:worker_threads';

/** What threads know of each other: a row for each, and a channel to say that it is another one's turn. */
export interface PoolData {
  readonly rows: SharedArrayBuffer;
  readonly channel: string;
}

const field = { bytes: 0, oldest: 1, isAsked: 2 } as const;
const fields = Object.keys(field).length;
/** Nothing in a row can go. */
const never = 2n ** 62n;

export function newPool(threads: number, channel: string): PoolData {
  const rows = new SharedArrayBuffer(threads * fields * BigInt64Array.BYTES_PER_ELEMENT);
  for (let row = 0; row < threads; row += 1) clearRow(rows, row);
  return { rows, channel };
}

/** Its thread has ended. */
export function clearRow(rows: SharedArrayBuffer, row: number): void {
  const all = new BigInt64Array(rows);
  Atomics.store(all, row * fields + field.bytes, 0n);
  Atomics.store(all, row * fields + field.oldest, never);
  Atomics.store(all, row * fields + field.isAsked, 0n);
}

/** What the ways back in other threads of the process take, and how old they are. */
export class HistoryPool {
  /** It has the oldest, and together they take too much. */
  onAsked = () => {};
  readonly #all: BigInt64Array;
  readonly #row: number;
  readonly #channel: BroadcastChannel;
  /** Threads count `performance.now` from their own starts. */
  readonly #epoch = Number(process.hrtime.bigint()) / 1e6 - performance.now();

  constructor({ rows, channel }: PoolData, row: number) {
    this.#all = new BigInt64Array(rows);
    this.#row = row;
    this.#channel = new BroadcastChannel(channel);
    this.#channel.unref();
    this.#channel.onmessage = (event: unknown) => {
      if ((event as { readonly data: unknown }).data !== row) return;
      Atomics.store(this.#all, this.#at(row, 'isAsked'), 0n);
      this.onAsked();
    };
  }

  /** `oldest`: as `performance.now` counts in this thread; never later than what this thread really has. */
  tell(bytes: number, oldest: number): void {
    Atomics.store(this.#all, this.#at(this.#row, 'bytes'), BigInt(Math.round(bytes)));
    const moment = Number.isFinite(oldest) ? BigInt(Math.round((oldest + this.#epoch) * 1000)) : never;
    Atomics.store(this.#all, this.#at(this.#row, 'oldest'), moment);
  }

  get othersBytes(): number {
    let sum = 0;
    for (let row = 0; row < this.#count; row += 1) if (row !== this.#row) sum += Number(this.#read(row, 'bytes'));
    return sum;
  }

  /** As `performance.now` counts in this thread; infinite if none of them has anything that can go. */
  get othersOldest(): number {
    const row = this.#oldestRow();
    const moment = row === this.#row ? never : this.#read(row, 'oldest');
    return moment === never ? Number.POSITIVE_INFINITY : Number(moment) / 1000 - this.#epoch;
  }

  /** Tells the one of them that has the oldest; once, until it has heard. */
  ask(): void {
    const row = this.#oldestRow();
    if (Atomics.exchange(this.#all, this.#at(row, 'isAsked'), 1n) === 0n) this.#channel.postMessage(row);
  }

  close(): void {
    this.#channel.close();
  }

  /** Of the others; without any this thread's. */
  #oldestRow(): number {
    let oldest = this.#row;
    for (let row = 0; row < this.#count; row += 1) {
      if (row === this.#row) continue;
      if (oldest === this.#row || this.#read(row, 'oldest') < this.#read(oldest, 'oldest')) oldest = row;
    }
    return oldest;
  }

  get #count(): number {
    return this.#all.length / fields;
  }

  #read(row: number, name: keyof typeof field): bigint {
    return Atomics.load(this.#all, this.#at(row, name));
  }

  #at(row: number, name: keyof typeof field): number {
    return row * fields + field[name];
  }
}
