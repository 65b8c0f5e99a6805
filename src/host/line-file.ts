import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

const mostWaitingBytes = 4 * 1024 * 1024;
const batchBytes = 64 * 1024;
const firstRetryMs = 250;
const pipeRetryMs = 20;
const lastRetryMs = 10_000;
const farewellMs = 1000;

export interface LineFileOptions {
  /** Told when lines cannot be written, and when they can again. */
  report(text: string): void;
  /** The line that stands where others were lost. */
  lossLine(count: number): string;
}

/**
 * Lines appended to a file without anybody waiting for the disk. What cannot be written now, as on a full disk, is tried
 * again; when too much waits, what comes next is lost, and a line says how much. A file that was moved away is opened anew.
 */
export class LineFile {
  readonly #path: string;
  readonly #options: LineFileOptions;
  #lines: string[] = [];
  #bytes = 0;
  #lost = 0;
  #file: FileHandle | undefined;
  /** Bytes on their way, whole lines, and how many of them are written. */
  #batch = Buffer.alloc(0);
  #written = 0;
  #retryMs = 0;
  #pumping: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #isClosing = false;

  constructor(path: string, options: LineFileOptions) {
    this.#path = path;
    this.#options = options;
  }

  write(line: string): void {
    if (this.#bytes + line.length > mostWaitingBytes) this.#lost++;
    else {
      this.#ownUp();
      this.#add(line);
    }
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = undefined;
    });
  }

  /** Writes what can still be written, within a second. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#wake?.();
    const farewell = new Promise((resolve) => setTimeout(resolve, farewellMs).unref());
    await Promise.race([this.#pumping, farewell]);
    await this.#file?.close().catch(() => {});
    this.#file = undefined;
  }

  #add(line: string): void {
    this.#lines.push(line);
    this.#bytes += line.length;
  }

  #ownUp(): void {
    if (this.#lost > 0) this.#add(this.#options.lossLine(this.#lost));
    this.#lost = 0;
  }

  async #pump(): Promise<void> {
    while (this.#written < this.#batch.length || this.#lines.length > 0 || this.#lost > 0) {
      if (this.#written === this.#batch.length) this.#nextBatch();
      try {
        await this.#writeSome();
        if (this.#retryMs > 0) this.#options.report(`${this.#path} can be written again`);
        this.#retryMs = 0;
      } catch (error) {
        if (isFull(error) && !this.#isClosing) {
          await this.#rest(pipeRetryMs);
          continue;
        }
        if (this.#retryMs === 0) this.#options.report(`${this.#path} cannot be written; retrying: ${messageOf(error)}`);
        await this.#file?.close().catch(() => {});
        this.#file = undefined;
        if (this.#isClosing) return;
        this.#retryMs = Math.min(Math.max(firstRetryMs, this.#retryMs * 2), lastRetryMs);
        await this.#rest(this.#retryMs);
      }
    }
  }

  #nextBatch(): void {
    if (this.#lines.length === 0) this.#ownUp();
    let count = 0;
    for (let bytes = 0; count < this.#lines.length && bytes < batchBytes; count++) {
      bytes += this.#lines[count]?.length ?? 0;
    }
    const lines = this.#lines.splice(0, count);
    this.#bytes -= lines.reduce((sum, line) => sum + line.length, 0);
    this.#batch = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    this.#written = 0;
  }

  async #writeSome(): Promise<void> {
    const file = await this.#opened();
    const { bytesWritten } = await file.write(this.#batch, this.#written);
    this.#written += bytesWritten;
  }

  async #opened(): Promise<FileHandle> {
    const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
    if (this.#file && (await this.#isStill(this.#file))) return this.#file;
    await this.#file?.close().catch(() => {});
    this.#file = undefined;
    // Not blocking, for a pipe that nobody reads.
    this.#file = await open(this.#path, O_WRONLY | O_APPEND | O_CREAT | (O_NONBLOCK ?? 0), 0o600);
    return this.#file;
  }

  /** False when the file was moved away; then the line that was begun is written anew. */
  async #isStill(file: FileHandle): Promise<boolean> {
    const [there, ours] = await Promise.all([stat(this.#path).catch(() => undefined), file.stat()]);
    if (there?.ino === ours.ino && there.dev === ours.dev) return true;
    this.#written = this.#written === 0 ? 0 : this.#batch.lastIndexOf(10, this.#written - 1) + 1;
    return false;
  }

  #rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      setTimeout(resolve, ms).unref();
    });
  }
}

/** A pipe that takes nothing now is no failure. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
