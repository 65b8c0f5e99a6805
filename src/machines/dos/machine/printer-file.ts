import { type FileHandle, open } from 'node:fs/promises';
import { MachineError } from '../../../machine/errors.ts';
import type { Host } from '../../../machine/host.ts';

/** Bytes that may wait for the disk; what comes then is lost, and counted. */
const mostWaiting = 1024 * 1024;
const bytesAtOnce = 65_536;

/** What the machine prints, in a file of the user's. A disk that is full or gone is told, and keeps nobody waiting. */
export class PrinterFile {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #host: Host;
  #waiting: number[] = [];
  #lost = 0;
  #trouble = '';
  #writing: Promise<void> | undefined;

  static async open(path: string, host: Host): Promise<PrinterFile> {
    const allowed = await host.allowedPath(path, 'write');
    try {
      return new PrinterFile(await open(allowed, 'wx', 0o600), path, host);
    } catch (error) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `The printer's file: ${messageOf(error)}.`,
        'Name a new file in a folder that exists.',
      );
    }
  }

  private constructor(file: FileHandle, path: string, host: Host) {
    this.#file = file;
    this.#path = path;
    this.#host = host;
  }

  print(byte: number): void {
    if (this.#waiting.length < mostWaiting) this.#waiting.push(byte);
    else this.#lost++;
  }

  /** Called now and then; what cannot be written is tried again the next time. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Writes what is left, if it can be. */
  async close(): Promise<void> {
    await this.#writing;
    for (let before = -1; this.#waiting.length > 0 && this.#waiting.length !== before; ) {
      before = this.#waiting.length;
      await this.#write();
    }
    try {
      await this.#file.close();
    } catch (error) {
      this.#tell(messageOf(error));
    }
  }

  async #write(): Promise<void> {
    try {
      const { bytesWritten } = await this.#file.write(Uint8Array.from(this.#waiting.slice(0, bytesAtOnce)));
      this.#waiting.splice(0, bytesWritten);
      this.#tell('');
    } catch (error) {
      this.#tell(messageOf(error));
    }
  }

  /** Once when trouble begins, and once when it is over. */
  #tell(trouble: string): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    const lost = this.#lost > 0 ? `; ${this.#lost} bytes are lost` : '';
    const text = trouble === '' ? `${this.#path} is written again${lost}` : `${this.#path}: ${trouble}; printing waits`;
    this.#host.report({ type: 'printer', text, data: { lost: this.#lost } });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
