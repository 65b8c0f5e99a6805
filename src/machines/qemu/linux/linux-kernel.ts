import type { NamedPlace } from '../../../formats/elf/elf-symbols.ts';
import { pauses } from '../../../formats/elf/pause.ts';
import { Btf } from '../../../formats/linux/btf.ts';
import { memoryKallsyms } from '../../../formats/linux/memory-kallsyms.ts';
import { occurrences } from '../../../formats/linux/search.ts';
import type { TableScheme } from '../debug/paging/table-scheme.ts';
import { NameIndex } from '../symbols/name-index.ts';
import type { QemuSymbols } from '../symbols/qemu-symbols.ts';
import type { KernelImage } from './kernel-image.ts';
import { DwarfKernelTypes, type KernelTypes } from './kernel-types.ts';

const bannerForm = /^Linux version \d+\.\d+[^\n\0]{0,400}/;
const bannerStart = Buffer.from('Linux version ');
const maxBannerBytes = 420;
const maxTypeTables = 8;
/** Where a section begins or ends: the function that begins there is meant. */
const sectionMark = /^__\w+_text_(?:start|end)$/;
/** Version 1, no flags, 24 bytes of header. */
const btfStart = Buffer.from([0x9f, 0xeb, 0x01, 0x00, 0x18, 0x00, 0x00, 0x00]);

/** What stays the same while a kernel runs: who it is, its symbols and its types. */
export class LinuxKernel {
  readonly banner: string;
  readonly bannerAt: bigint;
  readonly scheme: TableScheme;
  readonly places: readonly NamedPlace[];
  readonly names: NameIndex;
  readonly base: bigint;
  readonly end: bigint;
  readonly #btf: Btf | undefined;
  readonly #symbols: QemuSymbols;
  /** What was found in its data by its shape, for want of a name. */
  readonly found = new Map<string, bigint>();

  private constructor(image: KernelImage, banner: string, bannerAt: bigint, parts: Parts) {
    this.scheme = image.scheme;
    this.base = image.base;
    this.end = image.base + BigInt(image.bytes.length);
    this.banner = banner;
    this.bannerAt = bannerAt;
    this.places = parts.places;
    this.names = parts.names;
    this.#btf = parts.btf;
    this.#symbols = parts.symbols;
  }

  /** Undefined where the image is not one of Linux. */
  static async read(image: KernelImage, symbols: QemuSymbols): Promise<LinuxKernel | undefined> {
    const found = await bannerIn(image.bytes);
    if (!found) return undefined;
    const pause = pauses();
    const isKernel = (address: bigint) => address >= 0xffff000000000000n;
    const places = (await memoryKallsyms(image.bytes, pause, isKernel)) ?? [];
    const names = new NameIndex();
    await names.putAll(
      places.filter(({ name }) => !sectionMark.test(name)),
      pause,
    );
    const btf = await btfIn(image.bytes);
    return new LinuxKernel(image, found.text, image.base + BigInt(found.at), { places, names, btf, symbols });
  }

  get types(): KernelTypes | undefined {
    if (this.#btf) return this.#btf;
    const dwarf = this.#symbols.dwarfs.find(({ index }) => index.type('task_struct') !== undefined);
    return dwarf && new DwarfKernelTypes(dwarf);
  }

  get typesFrom(): 'BTF' | 'DWARF' | undefined {
    return this.#btf ? 'BTF' : this.types ? 'DWARF' : undefined;
  }

  /** By the kernel's own list, or by a loaded file. */
  address(name: string): bigint | undefined {
    return this.names.address(name) ?? this.found.get(name) ?? this.#symbols.address(name);
  }

  isInside(address: bigint): boolean {
    return address >= this.base && address < this.end;
  }
}

interface Parts {
  readonly places: readonly NamedPlace[];
  readonly names: NameIndex;
  readonly btf: Btf | undefined;
  readonly symbols: QemuSymbols;
}

interface Banner {
  readonly text: string;
  readonly at: number;
}

/** Kernels of version 6.1 have another before the one that they show, without the number of the build. */
async function bannerIn(bytes: Uint8Array): Promise<Banner | undefined> {
  let first: Banner | undefined;
  for await (const at of occurrences(bytes, bannerStart, pauses())) {
    const [text] = bannerForm.exec(Buffer.from(bytes.subarray(at, at + maxBannerBytes)).toString('latin1')) ?? [];
    if (text === undefined) continue;
    const banner = { text: text.replaceAll(/[^\x20-\x7e]/g, '?'), at };
    if (/#\d/.test(text)) return banner;
    first ??= banner;
  }
  return first;
}

async function btfIn(bytes: Uint8Array): Promise<Btf | undefined> {
  let tried = 0;
  for await (const at of occurrences(bytes, btfStart, pauses())) {
    if (tried++ >= maxTypeTables) break;
    const btf = await Btf.read(bytes.subarray(at), pauses());
    if (btf?.bytesOf('task_struct') !== undefined) return btf;
  }
  return undefined;
}
