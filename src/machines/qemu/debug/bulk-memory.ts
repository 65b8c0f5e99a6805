import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Target } from './target.ts';

/** Below this the stub, with its 2 KiB at a time, is as quick. */
const worthwhileBytes = 16 * 1024;

let files = 0;

/** Large pieces of memory, faster than by the stub. */
export type Bulk = Pick<BulkMemory, 'read'>;

/** Large pieces of memory by way of a file that QEMU writes beside its sockets. */
export class BulkMemory {
  readonly #target: Target;
  readonly #folder: string;

  constructor(target: Target, gdbPath: string) {
    this.#target = target;
    this.#folder = dirname(gdbPath);
  }

  /** Undefined where that is neither needed nor worth it, or where QEMU would not: the stub says why. */
  async read(space: string, address: bigint, length: number, needed: boolean): Promise<Uint8Array | undefined> {
    if (length < worthwhileBytes && !needed) return undefined;
    const path = join(this.#folder, `m${files++}`);
    const command = space === 'physical' ? 'pmemsave' : 'memsave';
    try {
      const { qmp, cpuIndex } = this.#target;
      const said = await qmp.hmp(`${command} 0x${address.toString(16)} ${length} "${path}"`, { cpuIndex });
      if (said.trim() !== '') return undefined;
      const bytes = await readFile(path);
      return bytes.length === length ? bytes : undefined;
    } catch {
      return undefined;
    } finally {
      await rm(path, { force: true });
    }
  }
}
