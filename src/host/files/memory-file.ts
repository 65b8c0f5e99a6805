import { MachineError } from '../../machine/errors.ts';
import type { HostFile } from '../../machine/files.ts';

/** Guests can make a file longer. */
const mostMemoryBytes = 64 * 1024 * 1024;

/** A file in memory; what is written to it lasts as long as it. */
export class MemoryFile implements HostFile {
  readonly path: string;
  #bytes: Uint8Array;

  constructor(path: string, bytes: Uint8Array) {
    this.path = path;
    this.#bytes = bytes.slice();
  }

  get grantedPath(): string {
    const fix = 'Put it below an allowed path and name that.';
    throw new MachineError('PATH_NOT_ALLOWED', `${this.path} is in memory: no other program can open it.`, fix);
  }

  get size(): number {
    return this.#bytes.length;
  }

  async read(at: number, length: number): Promise<Uint8Array> {
    return this.#bytes.slice(at, at + length);
  }

  readNow(at: number, length: number): Uint8Array {
    return this.#bytes.slice(at, at + length);
  }

  async write(bytes: Uint8Array, at = 0): Promise<void> {
    this.writeNow(bytes, at);
  }

  async writeSome(bytes: Uint8Array, at: number): Promise<number> {
    this.writeNow(bytes, at);
    return bytes.length;
  }

  async sync(): Promise<void> {}

  writeNow(bytes: Uint8Array, at = 0): void {
    const end = at + bytes.length;
    if (end > mostMemoryBytes) throw new Error('no space left');
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(end);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, at);
  }

  close(): void {}
}
