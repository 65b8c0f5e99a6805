import { mkdir, mkdtemp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const tailBytes = 4096;

/** What one VICE reads and writes while it lives: ROMs, disks, snapshots, and what it takes for a home folder. */
export class ViceFolder implements AsyncDisposable {
  readonly path: string;
  #files = 0;

  static async create(runtimeDir: string): Promise<ViceFolder> {
    return new ViceFolder(await mkdtemp(join(runtimeDir, 'v-')));
  }

  private constructor(path: string) {
    this.path = path;
  }

  /** Below this folder; answers where. */
  async write(name: string, bytes: Uint8Array): Promise<string> {
    const path = join(this.path, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, bytes, { mode: 0o600 });
    return path;
  }

  /** To a name that is fresh. */
  async writeTo(path: string, bytes: Uint8Array, readOnly = false): Promise<void> {
    await writeFile(path, bytes, { mode: readOnly ? 0o400 : 0o600 });
  }

  /** A name that nobody has used, with this ending. */
  fresh(ending: string): string {
    return join(this.path, `f${++this.#files}${ending}`);
  }

  /** Of a file in it; refuses one that has grown beyond what it may have. */
  async read(path: string, mostBytes: number): Promise<Uint8Array> {
    const { size } = await stat(path);
    if (size > mostBytes) throw new RangeError(`${size} bytes, and ${mostBytes} are the limit`);
    return new Uint8Array(await readFile(path));
  }

  /** 0 while there is none. */
  async size(path: string): Promise<number> {
    try {
      return (await stat(path)).size;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
      throw error;
    }
  }

  /** As much of it as is there. */
  async readPart(path: string, from: number, length: number): Promise<Uint8Array> {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, length)), 0, Math.max(0, length), from);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  /** The end of a text file. */
  async tail(path: string): Promise<string> {
    const file = await open(path).catch(() => undefined);
    if (!file) return '';
    try {
      const { size } = await file.stat();
      const length = Math.min(size, tailBytes);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
      return buffer.toString('latin1', 0, bytesRead);
    } finally {
      await file.close();
    }
  }

  /** Empties a file that has grown beyond what it may have. */
  async limit(path: string, mostBytes: number): Promise<void> {
    if ((await this.size(path)) > mostBytes) await truncate(path);
  }

  async remove(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
