import type { Pause } from '../../../formats/elf/pause.ts';
import { occurrences } from '../../../formats/linux/search.ts';
import type { KernelImage } from './kernel-image.ts';
import type { KernelMemory } from './kernel-memory.ts';
import type { KernelTypes } from './kernel-types.ts';

/** Modules are near the kernel, so that calls reach. */
const moduleReach = 1n << 32n;
const kernelHalf = 0xffff000000000000n;
const maxCandidates = 2000;
const idleName = Buffer.from('swapper');
const moduleName = /^[A-Za-z0-9_-]{1,55}$/;

type Wanted = 'init_task' | 'prb' | 'modules';

/** Data of a kernel whose own list of symbols has functions only (no CONFIG_KALLSYMS_ALL), by what it looks like. */
export class Shapes {
  readonly #image: KernelImage;
  readonly #view: DataView;
  readonly #types: KernelTypes;
  readonly #memory: KernelMemory;
  readonly #pause: Pause;

  constructor(image: KernelImage, types: KernelTypes, memory: KernelMemory, pause: Pause) {
    this.#image = image;
    this.#view = new DataView(image.bytes.buffer, image.bytes.byteOffset, image.bytes.length);
    this.#types = types;
    this.#memory = memory;
    this.#pause = pause;
  }

  find(name: Wanted): Promise<bigint | undefined> {
    if (name === 'init_task') return this.#firstTask();
    return name === 'prb' ? this.#ring() : this.#modules();
  }

  /** Called swapper, number 0, and its own parent. */
  async #firstTask(): Promise<bigint | undefined> {
    const [comm, parent, pid] = this.#offsets('task_struct', 'comm', 'real_parent', 'pid');
    if (comm === undefined || parent === undefined || pid === undefined) return undefined;
    const { bytes, base } = this.#image;
    for await (const at of occurrences(bytes, idleName, this.#pause)) {
      const task = at - comm;
      if (task < 0 || task % 8 !== 0 || task + parent + 8 > bytes.length) continue;
      const isOwn = this.#view.getBigUint64(task + parent, true) === base + BigInt(task);
      if (isOwn && this.#view.getUint32(task + pid, true) === 0) return base + BigInt(task);
    }
    return undefined;
  }

  /** Of those there are, the one with most room is in use. Its newest descriptor has to bear the number it should. */
  async #ring(): Promise<bigint | undefined> {
    const [counts, descs, infos, head, sizes, data] = this.#offsets(
      'printk_ringbuffer',
      'desc_ring.count_bits',
      'desc_ring.descs',
      'desc_ring.infos',
      'desc_ring.head_id',
      'text_data_ring.size_bits',
      'text_data_ring.data',
    );
    const state = this.#types.offsetOf('prb_desc', 'state_var');
    if (counts === undefined || descs === undefined || infos === undefined || head === undefined) return undefined;
    if (sizes === undefined || data === undefined || state === undefined) return undefined;
    const bytes = this.#types.bytesOf('printk_ringbuffer') ?? 0;
    const descBytes = BigInt(this.#types.bytesOf('prb_desc') ?? 0);
    let best: { readonly at: number; readonly size: number } | undefined;
    let tried = 0;
    for (let at = 0; at + bytes <= this.#view.byteLength && tried < maxCandidates; at += 8) {
      if ((at & 0xffff) === 0) await this.#pause();
      const count = this.#view.getUint32(at + counts, true);
      if (count < 4 || count > 22) continue;
      const size = this.#view.getUint32(at + sizes, true);
      if (size < 10 || size > 26 || size <= count || (best && size <= best.size)) continue;
      const pointers = [descs, infos, data].map((offset) => this.#view.getBigUint64(at + offset, true));
      if (!pointers.every((value) => value >= kernelHalf && value % 8n === 0n) || new Set(pointers).size < 3) continue;
      tried++;
      const id = this.#view.getBigUint64(at + head, true);
      const place = (pointers[0] ?? 0n) + BigInt.asUintN(count, id) * descBytes + BigInt(state);
      const known = await this.#memory.number(place, 8);
      if (known !== undefined && BigInt.asUintN(62, known) === id) best = { at, size };
    }
    return best && this.#image.base + BigInt(best.at);
  }

  /** The head of a list whose first element is a module that points back. */
  async #modules(): Promise<bigint | undefined> {
    const [list, name] = this.#offsets('module', 'list', 'name');
    if (list === undefined || name === undefined) return undefined;
    const { base, bytes } = this.#image;
    const end = base + BigInt(bytes.length);
    const isModule = (value: bigint) => {
      const distance = value < base ? base - value : value - end;
      return value % 8n === 0n && distance >= 0n && distance < moduleReach;
    };
    let tried = 0;
    for (let at = 0; at + 16 <= bytes.length && tried < maxCandidates; at += 8) {
      if ((at & 0xffff) === 0) await this.#pause();
      // Half of an address is enough to tell most values apart.
      if (this.#view.getUint16(at + 6, true) !== 0xffff || this.#view.getUint16(at + 14, true) !== 0xffff) continue;
      const [next, previous] = [this.#view.getBigUint64(at, true), this.#view.getBigUint64(at + 8, true)];
      if (!isModule(next) || !isModule(previous)) continue;
      tried++;
      const head = base + BigInt(at);
      if ((await this.#memory.number(next + 8n, 8)) !== head) continue;
      if ((await this.#memory.number(previous, 8)) !== head) continue;
      const text = await this.#memory.text(next - BigInt(list) + BigInt(name), 56);
      if (text !== undefined && moduleName.test(text)) return head;
    }
    return undefined;
  }

  #offsets(structure: string, ...paths: readonly string[]): (number | undefined)[] {
    return paths.map((path) => this.#types.offsetOf(structure, path));
  }
}
