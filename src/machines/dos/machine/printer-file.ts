import type { HostFile } from '../../../machine/files.ts';
import type { Host } from '../../../machine/host.ts';

/** Bytes that may wait for the disk; what comes then is lost, and counted. */
const mostWaiting = 1024 * 1024;
const bytesAtOnce = 65_536;

/** What the machine prints, in a file of the user's. A disk that is full or gone is told, and keeps nobody waiting. */
export class PrinterFile {
  readonly #file: HostFile;
  readonly #host: Pick<Host, 'files' | 'report'>;
  #written = 0;
  #waiting: number[] = [];
  #lost = 0;
  #trouble = '';
  #writing: Promise<void> | undefined;

  static async open(path: string, host: Pick<Host, 'files' | 'report'>): Promise<PrinterFile> {
    return new PrinterFile(await host.files.create(path), host);
  }

  private constructor(file: HostFile, host: Pick<Host, 'files' | 'report'>) {
    this.#file = file;
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
    this.#file.close();
  }

  async #write(): Promise<void> {
    try {
      const written = await this.#file.writeSome(Uint8Array.from(this.#waiting.slice(0, bytesAtOnce)), this.#written);
      this.#written += written;
      this.#waiting.splice(0, written);
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
    const text =
      trouble === ''
        ? `${this.#file.path} is written again${lost}`
        : `${this.#file.path}: ${trouble.replace(/\.$/, '')}; printing waits`;
    this.#host.report({ type: 'printer', text, data: { lost: this.#lost } });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
