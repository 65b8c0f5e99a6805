import { closeSync, openSync, writeSync } from 'node:fs';
import { MachineError } from '../../../machine/errors.ts';
import type { Host } from '../../../machine/host.ts';

/** What the machine prints, in a file of the user's. */
export class PrinterFile {
  readonly #file: number;
  #waiting: number[] = [];
  #isOpen = true;

  static async open(path: string, host: Host): Promise<PrinterFile> {
    const allowed = await host.allowedPath(path, 'write');
    try {
      return new PrinterFile(openSync(allowed, 'wx', 0o600));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new MachineError(
        'INVALID_ARGUMENT',
        `The printer's file: ${why}.`,
        'Name a new file in a folder that exists.',
      );
    }
  }

  private constructor(file: number) {
    this.#file = file;
  }

  print(byte: number): void {
    this.#waiting.push(byte);
  }

  flush(): void {
    if (this.#isOpen && this.#waiting.length > 0) writeSync(this.#file, Uint8Array.from(this.#waiting.splice(0)));
  }

  close(): void {
    this.flush();
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }
}
