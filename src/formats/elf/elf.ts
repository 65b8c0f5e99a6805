import { ByteView } from './byte-view.ts';
import { unpacked } from './unpacked.ts';

export interface ElfSection {
  readonly name: string;
  readonly type: number;
  readonly executable: boolean;
  /** Part of the program in memory. */
  readonly allocated: boolean;
  readonly compressed: boolean;
  readonly address: bigint;
  readonly offset: number;
  readonly size: number;
  readonly link: number;
  readonly entryBytes: number;
}

const compressedFlag = 0x800;
const executableFlag = 4;
const allocatedFlag = 2;
const relocatable = 1;
const noBits = 8;

/** The sections of an ELF file, 32 or 64 bits, of either byte order. */
export class ElfFile {
  readonly wide: boolean;
  /** 40 for ARM, 183 for AArch64, 62 for x86-64, 243 for RISC-V … */
  readonly machine: number;
  /** An object file or a kernel module: its sections have no addresses yet. */
  readonly isUnlinked: boolean;
  readonly sections: readonly ElfSection[];
  readonly #view: ByteView;

  static isElf(bytes: Uint8Array): boolean {
    return bytes[0] === 0x7f && bytes[1] === 0x45 && bytes[2] === 0x4c && bytes[3] === 0x46;
  }

  /** Throws a RangeError when the file is cut off. */
  constructor(bytes: Uint8Array) {
    const view = new ByteView(bytes, bytes[5] !== 2);
    this.#view = view;
    this.wide = bytes[4] === 2;
    this.machine = view.u16(18);
    this.isUnlinked = view.u16(16) === relocatable;
    const table = this.wide ? view.offset64(40) : view.u32(32);
    const entryBytes = view.u16(this.wide ? 58 : 46);
    const least = this.wide ? 64 : 40;
    if (table === 0 || entryBytes < least) {
      this.sections = [];
      return;
    }
    const first = this.#section(table);
    // More than fit into the header: the first section says how many.
    const count = Math.min(view.u16(this.wide ? 60 : 48) || first.size, Math.floor((view.length - table) / entryBytes));
    const namesIndex = view.u16(this.wide ? 62 : 50);
    const raw = Array.from({ length: count }, (_, n) => this.#section(table + n * entryBytes));
    const names = raw[namesIndex === 0xffff ? first.link : namesIndex];
    this.sections = raw.map((section) => ({
      ...section,
      name: names ? view.text(names.offset + section.nameAt, 64) : '',
    }));
  }

  section(name: string): ElfSection | undefined {
    return this.sections.find((each) => each.name === name);
  }

  /** The bytes of a section, empty when it has none here. Rejects when it is packed in a way we do not know. */
  async content(section: ElfSection | undefined): Promise<ByteView> {
    if (!section || section.type === noBits) return this.#view.over(new Uint8Array());
    const raw = this.#view.part(section.offset, section.size);
    if (!section.compressed) return raw;
    const packed = raw.bytes.subarray(this.wide ? 24 : 12);
    return this.#view.over(await unpacked(packed, raw.u32(0), section.name));
  }

  #section(at: number): Omit<ElfSection, 'name'> & { readonly nameAt: number } {
    const view = this.#view;
    const flags = this.wide ? Number(view.u64(at + 8) & 0xffffffffn) : view.u32(at + 8);
    return {
      nameAt: view.u32(at),
      type: view.u32(at + 4),
      executable: (flags & executableFlag) !== 0,
      allocated: (flags & allocatedFlag) !== 0,
      compressed: (flags & compressedFlag) !== 0,
      address: this.wide ? view.u64(at + 16) : BigInt(view.u32(at + 12)),
      offset: this.wide ? view.offset64(at + 24) : view.u32(at + 16),
      size: this.wide ? view.offset64(at + 32) : view.u32(at + 20),
      link: view.u32(at + (this.wide ? 40 : 24)),
      entryBytes: this.wide ? view.offset64(at + 56) : view.u32(at + 36),
    };
  }
}
