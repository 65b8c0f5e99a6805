import type { Target } from './target.ts';

/** In the output of `info mtree`. */
const timerForm = /([0-9a-f]{16})-[0-9a-f]{16} \(prio [^)]*\): riscv\.aclint\.mtimer/g;
const timeOffset = 0x7ff8n;
const timeBytes = 8;

/**
 * The time of RISC-V boards. QEMU leaves it out of its states and makes a reset of loading one, so that the guest's
 * time would begin anew, or even before zero. All this is done while the machine is stopped.
 */
export class BoardTime {
  readonly #target: Target;
  readonly #isKept: boolean;
  #places: readonly bigint[] | undefined;

  constructor(target: Target, arch: string) {
    this.#target = target;
    this.#isKept = arch.startsWith('riscv');
  }

  async read(): Promise<readonly string[]> {
    const times: string[] = [];
    await this.#each(async (place) => {
      times.push(Buffer.from(await this.#target.memory(place, timeBytes)).toString('hex'));
    });
    return times;
  }

  async write(times: readonly string[]): Promise<void> {
    await this.#each(async (place, index) => {
      const time = times[index];
      if (time !== undefined) await this.#target.setMemory(place, Buffer.from(time, 'hex'));
    });
  }

  async #each(action: (place: bigint, index: number) => Promise<void>): Promise<void> {
    const places = await this.#find();
    const { gdb } = this.#target;
    if (places.length === 0 || !(await gdb.physicalAddresses(true))) return;
    try {
      for (const [index, place] of places.entries()) await action(place, index);
    } finally {
      await gdb.physicalAddresses(false);
    }
  }

  async #find(): Promise<readonly bigint[]> {
    if (!this.#isKept) return [];
    if (this.#places) return this.#places;
    const tree = await this.#target.qmp.hmp('info mtree');
    const starts = new Set([...tree.matchAll(timerForm)].map(([, start]) => BigInt(`0x${start}`)));
    this.#places = [...starts].map((start) => start + timeOffset);
    return this.#places;
  }
}
