import { constants } from 'node:fs';
import { type FileHandle, open, rename, stat, unlink } from 'node:fs/promises';

const lineFeed = 0x0a;
/** A line that never ends is cut after so much more than the size allows. */
const maxLineBytes = 64 * 1024;
/** How often it is looked whether somebody else moved the file away. */
const lookMs = 5000;

export interface RotatingFileOptions {
  readonly path: string;
  /** 0: never. */
  readonly maxBytes: number;
  readonly maxAgeMs: number;
  readonly keep: number;
}

/** A file that is appended to and, at the end of a line, begun anew when it is too large or too old. */
export class RotatingFile {
  readonly #options: RotatingFileOptions;
  #file: FileHandle;
  #bytes: number;
  #atLineStart: boolean;
  /** Of `performance.now()`. */
  #begunAt: number;
  #lookedAt = performance.now();

  static async open(options: RotatingFileOptions): Promise<RotatingFile> {
    return new RotatingFile(options, await openLog(options.path));
  }

  private constructor(options: RotatingFileOptions, opened: OpenedLog) {
    this.#options = options;
    this.#file = opened.file;
    this.#bytes = opened.bytes;
    this.#atLineStart = opened.atLineStart;
    this.#begunAt = performance.now() - opened.ageMs;
  }

  get atLineStart(): boolean {
    return this.#atLineStart;
  }

  /** Appends all of it, in as many files as that takes; an `AppendError` says how much was taken before. */
  async append(bytes: Uint8Array): Promise<void> {
    let written = 0;
    try {
      await this.#reopenIfMoved();
      while (written < bytes.length) {
        const rest = bytes.subarray(written);
        const fitting = this.#fittingBytes(rest);
        if (this.#bytes > 0 && (this.#atLineStart ? fitting === 0 || this.#isTooOld() : this.#isFarTooLarge())) {
          await this.#rotate();
          continue;
        }
        const { bytesWritten } = await this.#file.write(rest, 0, fitting || lineBytes(rest));
        if (bytesWritten === 0) throw new Error('the disk takes no bytes');
        written += bytesWritten;
        this.#bytes += bytesWritten;
        this.#atLineStart = bytes[written - 1] === lineFeed;
      }
    } catch (error) {
      throw new AppendError(error, written);
    }
  }

  /** Begins a new file if this one is too old, though nothing is written. */
  async rotateIfOld(): Promise<void> {
    if (this.#isTooOld() && this.#atLineStart) await this.#rotate();
  }

  async close(): Promise<void> {
    await this.#file.sync().catch(() => {});
    await this.#file.close();
  }

  /** How much of it the file has room for: all, or whole lines. */
  #fittingBytes(bytes: Uint8Array): number {
    const { maxBytes } = this.#options;
    const room = maxBytes - this.#bytes;
    if (maxBytes === 0 || bytes.length <= room) return bytes.length;
    return room > 0 ? bytes.lastIndexOf(lineFeed, room - 1) + 1 : 0;
  }

  #isFarTooLarge(): boolean {
    const { maxBytes } = this.#options;
    return maxBytes > 0 && this.#bytes > maxBytes + maxLineBytes;
  }

  #isTooOld(): boolean {
    const { maxAgeMs } = this.#options;
    return maxAgeMs > 0 && this.#bytes > 0 && performance.now() - this.#begunAt >= maxAgeMs;
  }

  async #rotate(): Promise<void> {
    const { path, keep } = this.#options;
    for (let number = keep - 1; number >= 1; number--) {
      await rename(`${path}.${number}`, `${path}.${number + 1}`).catch(ignoreMissing);
    }
    if (keep > 0) await rename(path, `${path}.1`).catch(ignoreMissing);
    else await unlink(path).catch(ignoreMissing);
    await this.#reopen();
    this.#begunAt = performance.now();
  }

  /** Programs such as logrotate move the file and expect us to notice. */
  async #reopenIfMoved(): Promise<void> {
    if (performance.now() - this.#lookedAt < lookMs) return;
    this.#lookedAt = performance.now();
    const [ours, named] = [await this.#file.stat(), await stat(this.#options.path).catch(() => undefined)];
    if (named?.ino !== ours.ino || named.dev !== ours.dev) await this.#reopen();
  }

  async #reopen(): Promise<void> {
    const opened = await openLog(this.#options.path);
    await this.#file.close().catch(() => {});
    this.#file = opened.file;
    this.#bytes = opened.bytes;
    this.#atLineStart = opened.atLineStart;
  }
}

/** Why not all was appended, and how much was. */
export class AppendError extends Error {
  override readonly name = 'AppendError';
  readonly written: number;

  constructor(cause: unknown, written: number) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.written = written;
  }
}

/** The rest of a line that does not fit, or a bounded part of it. */
function lineBytes(bytes: Uint8Array): number {
  return Math.min(bytes.indexOf(lineFeed) + 1 || bytes.length, maxLineBytes);
}

interface OpenedLog {
  readonly file: FileHandle;
  readonly bytes: number;
  readonly atLineStart: boolean;
  readonly ageMs: number;
}

/** For this user alone, never through a link, and only a file: a FIFO in its place would hold us up. */
async function openLog(path: string): Promise<OpenedLog> {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;
  const file = await open(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_RDWR, 0o600);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new Error(`${path} is not a file`);
    const last = Buffer.alloc(1, lineFeed);
    if (found.size > 0) await file.read(last, 0, 1, found.size - 1);
    const ageMs = Math.max(0, Date.now() - found.birthtimeMs);
    return { file, bytes: found.size, atLineStart: last[0] === lineFeed, ageMs };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
