import { closeSync, fsync, read, readSync, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { HostFile } from '../../machine/files.ts';
import { fileError } from '../file-error.ts';
import type { OpenedFile } from './open-steps.ts';
import { grantedPath } from './walk.ts';

const readLater = promisify(read);
const writeLater = promisify(write);
const syncLater = promisify(fsync);

export class OpenedHostFile implements HostFile {
  readonly path: string;
  readonly size: number;
  readonly #fd: number;
  #isOpen = true;
  #working = 0;

  constructor({ fd, path, size }: OpenedFile) {
    this.#fd = fd;
    this.path = path;
    this.size = size;
  }

  get grantedPath(): string {
    return grantedPath(this.#fd, this.path);
  }

  read(at: number, length: number): Promise<Uint8Array> {
    return this.#while(async () => {
      const bytes = new Uint8Array(length);
      let done = 0;
      while (done < length) {
        const { bytesRead } = await readLater(this.#fd, bytes, done, length - done, at + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return bytes.subarray(0, done);
    });
  }

  write(bytes: Uint8Array, at?: number): Promise<void> {
    return this.#while(async () => {
      let done = 0;
      while (done < bytes.length) {
        const position = at === undefined ? null : at + done;
        done += (await writeLater(this.#fd, bytes, done, bytes.length - done, position)).bytesWritten;
      }
    });
  }

  writeSome(bytes: Uint8Array, at: number): Promise<number> {
    return this.#while(async () => (await writeLater(this.#fd, bytes, 0, bytes.length, at)).bytesWritten);
  }

  sync(): Promise<void> {
    return this.#while(() => syncLater(this.#fd));
  }

  writeNow(bytes: Uint8Array, at?: number): void {
    try {
      let done = 0;
      while (done < bytes.length) {
        const position = at === undefined ? null : at + done;
        done += writeSync(this.#fd, bytes, done, bytes.length - done, position);
      }
    } catch (error) {
      throw fileError(error, this.path);
    }
  }

  readNow(at: number, length: number): Uint8Array {
    if (!this.#isOpen) throw new Error(`${this.path} is closed`);
    try {
      const bytes = new Uint8Array(length);
      let done = 0;
      for (let count = 1; count > 0 && done < length; done += count) {
        count = readSync(this.#fd, bytes, done, length - done, at + done);
      }
      return bytes.subarray(0, done);
    } catch (error) {
      throw fileError(error, this.path);
    }
  }

  /** What is under way ends first: the number must not come to mean another file. */
  close(): void {
    this.#isOpen = false;
    this.#closeWhenIdle();
  }

  async #while<T>(task: () => Promise<T>): Promise<T> {
    if (!this.#isOpen) throw new Error(`${this.path} is closed`);
    this.#working++;
    try {
      return await task();
    } catch (error) {
      throw fileError(error, this.path);
    } finally {
      this.#working--;
      if (!this.#isOpen) this.#closeWhenIdle();
    }
  }

  #closed = false;

  #closeWhenIdle(): void {
    if (this.#working > 0 || this.#closed) return;
    this.#closed = true;
    closeSync(this.#fd);
  }
}
