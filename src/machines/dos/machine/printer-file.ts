import type { HostFile } from '../../../machine/files.ts';
import type { Host } from '../../../machine/host.ts';

/** What the machine prints, in a file of the user's. */
export class PrinterFile {
  readonly #file: HostFile;
  #waiting: number[] = [];
  #isOpen = true;

  static async open(path: string, host: Pick<Host, 'files'>): Promise<PrinterFile> {
    return new PrinterFile(await host.files.create(path));
  }

  private constructor(file: HostFile) {
    this.#file = file;
  }

  print(byte: number): void {
    this.#waiting.push(byte);
  }

  flush(): void {
    if (this.#isOpen && this.#waiting.length > 0) this.#file.writeNow(Uint8Array.from(this.#waiting.splice(0)));
  }

  close(): void {
    this.flush();
    if (this.#isOpen) this.#file.close();
    this.#isOpen = false;
  }
}
