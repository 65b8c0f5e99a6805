import type { ReportedEvent } from '../../machine/events.ts';
import type { ConsoleLogSettings } from '../../machine/host.ts';
import { describeFileError } from '../recording/file-failure.ts';
import { LogText } from './log-text.ts';
import { AppendError, RotatingFile } from './rotating-file.ts';

const maxWaitingBytes = 8 * 1024 * 1024;
const maxWaitingItems = 10_000;
const gatherMs = 50;
const retryMs = 1000;
const ageCheckMs = 60_000;
const finishMs = 2000;

type Item = { readonly at: Date } & ({ readonly bytes: Uint8Array } | { readonly mark: string });

/**
 * Everything that a console prints, for as long as the server runs, and what happens beside it. What the disk does not
 * take waits in bounded memory and is tried again; what does not fit there is counted in the log itself.
 */
export class ConsoleLog {
  readonly path: string;
  readonly #file: RotatingFile;
  readonly #text: LogText;
  readonly #report: (event: ReportedEvent) => void;
  readonly #timers: NodeJS.Timeout[] = [];
  #items: Item[] = [];
  #waitingBytes = 0;
  #lostBytes = 0;
  /** Formatted and not yet on the disk. */
  #pending: Uint8Array = new Uint8Array();
  #failure: string | undefined;
  #flush: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #closed = false;

  static async open(settings: ConsoleLogSettings, report: (event: ReportedEvent) => void): Promise<ConsoleLog> {
    const { file: path, maxBytes, maxAgeHours, keep } = settings;
    const file = await RotatingFile.open({ path, maxBytes, maxAgeMs: maxAgeHours * 3_600_000, keep });
    return new ConsoleLog(file, settings, report);
  }

  private constructor(file: RotatingFile, settings: ConsoleLogSettings, report: (event: ReportedEvent) => void) {
    this.path = settings.file;
    this.#file = file;
    this.#report = report;
    this.#text = new LogText(settings.timestamps, file.atLineStart);
    if (settings.markMinutes > 0) {
      this.#timers.push(setInterval(() => this.mark('MARK'), settings.markMinutes * 60_000).unref());
    }
    if (settings.maxAgeHours > 0) this.#timers.push(setInterval(() => this.#checkAge(), ageCheckMs).unref());
  }

  /** Takes a copy of `bytes`. */
  output(bytes: Uint8Array): void {
    if (this.#closed) return;
    const room = this.#items.length < maxWaitingItems ? maxWaitingBytes - this.#waitingBytes : 0;
    const taken = bytes.subarray(0, Math.max(0, room));
    this.#lostBytes += bytes.length - taken.length;
    if (taken.length === 0) return;
    this.#items.push({ at: new Date(), bytes: Buffer.from(taken) });
    this.#waitingBytes += taken.length;
    this.#schedule(gatherMs);
  }

  mark(text: string): void {
    if (this.#closed || this.#items.length >= maxWaitingItems) return;
    this.#items.push({ at: new Date(), mark: text });
    this.#schedule(gatherMs);
  }

  /** Writes what waits, if the disk takes it soon. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#flush);
    const late = new Promise<void>((resolve) => setTimeout(resolve, finishMs).unref());
    await Promise.race([this.#drain(), late]);
    await Promise.race([this.#file.close().catch(() => {}), late]);
  }

  #schedule(ms: number): void {
    if (this.#writing || this.#flush || (this.#closed && ms > 0)) return;
    this.#flush = setTimeout(() => void this.#drain(), ms).unref();
  }

  async #drain(): Promise<void> {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    while (this.#writing) await this.#writing;
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = undefined;
      if (this.#failure !== undefined) this.#schedule(retryMs);
      else if (this.#items.length > 0) this.#schedule(gatherMs);
    });
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#pending.length > 0 || this.#items.length > 0) {
        if (this.#pending.length === 0) this.#pending = this.#format();
        await this.#file.append(this.#pending);
        this.#pending = new Uint8Array();
      }
      this.#succeeded();
    } catch (error) {
      if (error instanceof AppendError) this.#pending = this.#pending.subarray(error.written);
      this.#failed(describeFileError(error instanceof AppendError ? error.cause : error));
    }
  }

  #format(): Uint8Array {
    const items = this.#items;
    this.#items = [];
    this.#waitingBytes = 0;
    const pieces = items.map((item) =>
      'mark' in item ? this.#text.mark(item.mark, item.at) : this.#text.output(item.bytes, item.at),
    );
    if (this.#lostBytes > 0) {
      pieces.push(this.#text.mark(`${this.#lostBytes} bytes were not logged: the disk did not take them`, new Date()));
      this.#lostBytes = 0;
    }
    return Buffer.concat(pieces);
  }

  #failed(reason: string): void {
    if (this.#failure === undefined) {
      this.#report({
        type: 'log_failing',
        text: `${this.path}: ${reason}; the log keeps retrying`,
        data: { path: this.path },
      });
    }
    this.#failure = reason;
  }

  #succeeded(): void {
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    this.#report({
      type: 'log_resumed',
      text: `${this.path}: the disk can be written again`,
      data: { path: this.path },
    });
  }

  #checkAge(): void {
    if (this.#writing) return;
    this.#writing = this.#file
      .rotateIfOld()
      .catch((error: unknown) => this.#failed(describeFileError(error)))
      .finally(() => {
        this.#writing = undefined;
        if (this.#items.length > 0) this.#schedule(0);
      });
  }
}
