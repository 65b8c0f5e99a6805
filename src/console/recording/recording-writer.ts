import type { AppendFile } from './append-file.ts';
import { describeFileError } from './file-failure.ts';
import type { IndexEntry } from './recording-index.ts';

const batchMs = 10;
const maxBatchBytes = 256 * 1024;
const maxWaitingBytes = 8 * 1024 * 1024;
const maxWaitingLines = 10_000;
const maxIndexLines = 1000;
const retryMs = 500;
const finishMs = 5000;

interface Batch {
  readonly t: number;
  readonly offset: number;
  chunks: Uint8Array[];
  bytes: number;
}

type Item =
  | { batch: Batch }
  | { gap: { t: number; offset: number; missing: number; reason: string } }
  | { line: IndexEntry };

export interface WriterEvents {
  /** The disk began to refuse bytes. They wait, and are tried again. */
  failing(reason: string): void;
  resumed(): void;
  /** The first bytes of a gap were given up. */
  lost(reason: string): void;
}

/** Output from before the start of a recording, fetched piece by piece as the disk takes it. */
export interface History {
  readonly remainingBytes: number;
  next(maxBytes: number): { readonly bytes: Uint8Array; readonly offset: number; readonly lost: number } | undefined;
}

/**
 * Writes a recording and its index in the order of events. Bytes are never written twice or out of order; those that
 * the disk does not take wait in bounded memory, and those that do not fit there are counted.
 */
export class RecordingWriter {
  readonly #data: AppendFile;
  readonly #index: AppendFile;
  readonly #history: History;
  readonly #events: WriterEvents;
  /** What happened and is not in the files yet. */
  #items: Item[] = [];
  #waitingBytes = 0;
  #lostBytes = 0;
  #lostReason = '';
  #failure: string | undefined;
  /** A batch of which the disk took only a part. */
  #unfinished: Batch | undefined;
  #indexLines: string[] = [];
  #indexBytes: Uint8Array = Buffer.alloc(0);
  #timer: NodeJS.Timeout | undefined;
  #draining: Promise<void> | undefined;
  #abandoned = false;

  constructor(files: { data: AppendFile; index: AppendFile }, history: History, events: WriterEvents) {
    this.#data = files.data;
    this.#index = files.index;
    this.#history = history;
    this.#events = events;
  }

  /** Bytes in the file. */
  get bytes(): number {
    return this.#data.length;
  }

  /** Bytes that are not in the file though they should be, now or for good. */
  get missing(): { readonly bytes: number; readonly reason: string } | undefined {
    const waiting = this.#waitingBytes + this.#history.remainingBytes;
    const bytes = this.#lostBytes + (this.#failure === undefined ? 0 : waiting);
    const reason = this.#failure ?? this.#lostReason;
    return bytes > 0 || reason ? { bytes, reason } : undefined;
  }

  /** Takes a copy of `bytes`. */
  add(t: number, offset: number, bytes: Uint8Array): void {
    const room = Math.max(maxWaitingBytes - this.#waitingBytes, 0);
    const taken = bytes.subarray(0, room);
    if (taken.length > 0) this.#enqueue(t, offset, Buffer.from(taken));
    const missing = bytes.length - taken.length;
    if (missing > 0) this.#lose(t, offset + taken.length, missing, this.#failure ?? 'disk too slow');
    this.#schedule(this.#waitingBytes >= maxBatchBytes ? 0 : batchMs);
  }

  /** False when too many lines wait for the disk to take this one. */
  addLine(line: IndexEntry, always: boolean): boolean {
    if (!always && this.#items.length > maxWaitingLines) return false;
    this.#items.push({ line });
    this.#schedule(batchMs);
    return true;
  }

  /** Tries at once to write all that waits; resolves when that is done or failed. */
  async flush(): Promise<void> {
    await this.#draining;
    await this.#drain();
  }

  /** Writes what waits, for the last time, and closes. Counts as missing what the disk does not take. */
  async finish(): Promise<void> {
    const done = this.flush().then(() => true);
    const inTime = await Promise.race([done, expiry(finishMs)]);
    this.#abandoned = true;
    clearTimeout(this.#timer);
    this.#giveUp(inTime ? undefined : 'the disk does not answer');
    const closing = this.#close();
    if (inTime) await Promise.race([closing, expiry(finishMs)]);
  }

  #enqueue(t: number, offset: number, bytes: Uint8Array): void {
    const last = this.#items.at(-1);
    const batch = last && 'batch' in last ? last.batch : undefined;
    const joins = batch && batch.offset + batch.bytes === offset && t - batch.t < batchMs;
    if (batch && joins && batch.bytes + bytes.length <= maxBatchBytes) {
      batch.chunks.push(bytes);
      batch.bytes += bytes.length;
    } else {
      this.#items.push({ batch: { t, offset, chunks: [bytes], bytes: bytes.length } });
    }
    this.#waitingBytes += bytes.length;
  }

  #lose(t: number, offset: number, missing: number, reason: string): void {
    this.#lostBytes += missing;
    this.#lostReason = reason;
    const last = this.#items.at(-1);
    if (last && 'gap' in last && last.gap.reason === reason) {
      last.gap.missing += missing;
      return;
    }
    this.#items.push({ gap: { t, offset, missing, reason } });
    this.#events.lost(reason);
  }

  #schedule(delayMs: number): void {
    if (this.#draining || this.#abandoned) return;
    if (this.#timer && (delayMs > 0 || this.#failure !== undefined)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#drain(), delayMs).unref();
  }

  #drain(): Promise<void> {
    this.#draining ??= this.#writeAll()
      .then((error) => this.#noteResult(error))
      .finally(() => {
        this.#draining = undefined;
        if (this.#failure !== undefined) this.#schedule(retryMs);
        else if (this.#items.length > 0) this.#schedule(batchMs);
      });
    return this.#draining;
  }

  /** Resolves with what stopped it. */
  async #writeAll(): Promise<unknown> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (!this.#abandoned) {
      const indexError = this.#indexLines.length >= maxIndexLines ? await this.#writeIndex() : undefined;
      if (indexError !== undefined) return indexError;
      const batch = this.#nextBatch();
      if (!batch) return this.#writeIndex();
      const error = await this.#writeBatch(batch);
      if (error === undefined) continue;
      // The bytes that did get there want their line, if there is room for that at least.
      await this.#writeIndex();
      return error;
    }
    return undefined;
  }

  /** What to write next; index lines on the way to it are put down. */
  #nextBatch(): Batch | undefined {
    if (this.#unfinished) return this.#unfinished;
    const old = this.#history.next(maxBatchBytes);
    if (old) return this.#historyBatch(old);
    for (let item = this.#items.shift(); item; item = this.#items.shift()) {
      if ('batch' in item) return item.batch;
      this.#addIndexLine('gap' in item ? item.gap : item.line);
    }
    return undefined;
  }

  #historyBatch({ bytes, offset, lost }: { bytes: Uint8Array; offset: number; lost: number }): Batch {
    if (lost > 0) {
      const reason = 'overwritten in the ring before the disk took it';
      this.#lostBytes += lost;
      this.#lostReason = reason;
      this.#addIndexLine({ t: 0, offset: offset - lost, missing: lost, reason });
      this.#events.lost(reason);
    }
    this.#waitingBytes += bytes.length;
    return { t: 0, offset, chunks: [bytes], bytes: bytes.length };
  }

  async #writeBatch(batch: Batch): Promise<unknown> {
    this.#unfinished = batch;
    const [only] = batch.chunks;
    const bytes = batch.chunks.length === 1 && only ? only : Buffer.concat(batch.chunks);
    const file = this.#data.length;
    const { written, error } = await this.#data.append(bytes);
    if (this.#abandoned) return undefined;
    this.#waitingBytes -= written;
    if (written > 0) this.#addIndexLine({ t: batch.t, offset: batch.offset, file, bytes: written });
    const rest = bytes.subarray(written);
    this.#unfinished =
      rest.length > 0 ? { t: batch.t, offset: batch.offset + written, chunks: [rest], bytes: rest.length } : undefined;
    return error;
  }

  #addIndexLine(entry: IndexEntry): void {
    this.#indexLines.push(`${JSON.stringify(entry)}\n`);
  }

  async #writeIndex(): Promise<unknown> {
    const pending = Buffer.concat([this.#indexBytes, Buffer.from(this.#indexLines.join(''))]);
    this.#indexLines = [];
    this.#indexBytes = pending;
    const { written, error } = await this.#index.append(pending);
    this.#indexBytes = pending.subarray(written);
    return error;
  }

  #noteResult(error: unknown): void {
    const before = this.#failure;
    this.#failure = error === undefined ? undefined : describeFileError(error);
    if (before === undefined && this.#failure !== undefined) this.#events.failing(this.#failure);
    if (before !== undefined && this.#failure === undefined) this.#events.resumed();
  }

  #giveUp(reason: string | undefined): void {
    const waiting = this.#waitingBytes + this.#history.remainingBytes;
    if (waiting > 0) {
      this.#lostBytes += waiting;
      this.#lostReason = reason ?? this.#failure ?? 'disk too slow';
    }
    this.#waitingBytes = 0;
    this.#failure = undefined;
    this.#items = [];
  }

  async #close(): Promise<void> {
    for (const file of [this.#data, this.#index]) {
      try {
        await file.sync();
      } catch (error) {
        this.#lostReason ||= `not safely on the disk: ${describeFileError(error)}`;
      }
      await file.close().catch(() => undefined);
    }
  }
}

function expiry(ms: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), ms).unref();
  });
}
