import { DosError } from '../../drives/dos-error.ts';
import type { GuestMemory } from '../guest.ts';
import { linear } from './far-pointer.ts';
import { readText, writeText } from './guest-text.ts';
import { at, dosSegment, openFilesMax, sizes } from './layout.ts';

/** Bits of the device information word. */
export const deviceInfo = {
  console: 0x01,
  output: 0x02,
  nul: 0x04,
  clock: 0x08,
  fast: 0x10,
  raw: 0x20,
  notWritten: 0x40,
  notAtEnd: 0x40,
  device: 0x80,
} as const;

export const openModes = { read: 0, write: 1, readWrite: 2, noInherit: 0x80, fcb: 0x8000 } as const;

/** One entry of the system file table, in guest memory. */
export class SystemFile {
  readonly index: number;
  readonly address: number;
  readonly #memory: GuestMemory;

  constructor(memory: GuestMemory, index: number) {
    this.#memory = memory;
    this.index = index;
    const [table, place] = index < sizes.firstFiles ? [at.files, index] : [at.moreFiles, index - sizes.firstFiles];
    this.address = linear(dosSegment, table) + 6 + place * sizes.file;
  }

  get references(): number {
    return this.#memory.read16(this.address);
  }
  set references(count: number) {
    this.#memory.write16(this.address, count);
  }
  get mode(): number {
    return this.#memory.read16(this.address + 2);
  }
  set mode(mode: number) {
    this.#memory.write16(this.address + 2, mode);
  }
  get attributes(): number {
    return this.#memory.read8(this.address + 4);
  }
  set attributes(value: number) {
    this.#memory.write8(this.address + 4, value);
  }
  get info(): number {
    return this.#memory.read16(this.address + 5);
  }
  set info(value: number) {
    this.#memory.write16(this.address + 5, value);
  }
  get isDevice(): boolean {
    return (this.info & deviceInfo.device) !== 0;
  }
  get drive(): number {
    return this.info & 0x3f;
  }
  /** Header of the device, or the drive's parameter block; packed. */
  get driver(): number {
    return this.#memory.read32(this.address + 7);
  }
  set driver(packed: number) {
    this.#memory.write32(this.address + 7, packed);
  }
  get stamp(): number {
    return this.#memory.read32(this.address + 0xd);
  }
  set stamp(stamp: number) {
    this.#memory.write32(this.address + 0xd, stamp);
  }
  get size(): number {
    return this.#memory.read32(this.address + 0x11);
  }
  set size(size: number) {
    this.#memory.write32(this.address + 0x11, size);
  }
  get position(): number {
    return this.#memory.read32(this.address + 0x15);
  }
  set position(position: number) {
    this.#memory.write32(this.address + 0x15, position >>> 0);
  }
  /** Which file of its drive: in the place where DOS keeps the sector of the directory entry. */
  get id(): number {
    return this.#memory.read32(this.address + 0x1b);
  }
  set id(id: number) {
    this.#memory.write32(this.address + 0x1b, id);
  }
  get name(): string {
    return readText(this.#memory, this.address + 0x20, 11);
  }
  set name(name: string) {
    writeText(this.#memory, this.address + 0x20, name);
  }
  get owner(): number {
    return this.#memory.read16(this.address + 0x31);
  }
  set owner(segment: number) {
    this.#memory.write16(this.address + 0x31, segment);
  }
  clear(): void {
    this.#memory.write(this.address, new Uint8Array(sizes.file));
  }
}

/** All files open in the machine, in the table that the list of lists points to. */
export class SystemFiles {
  readonly #memory: GuestMemory;

  constructor(memory: GuestMemory) {
    this.#memory = memory;
  }

  get(index: number): SystemFile {
    if (index >= openFilesMax) throw new DosError('invalidHandle');
    return new SystemFile(this.#memory, index);
  }

  /** An unused entry, cleared, with one reference. */
  allocate(): SystemFile {
    // FILES= of CONFIG.SYS.
    const limit = sizes.firstFiles + this.#memory.read16(linear(dosSegment, at.moreFiles) + 4);
    for (let index = 0; index < Math.min(limit, openFilesMax); index++) {
      const file = this.get(index);
      if (file.references !== 0) continue;
      file.clear();
      file.references = 1;
      return file;
    }
    throw new DosError('tooManyOpenFiles');
  }

  *open(): Generator<SystemFile> {
    for (let index = 0; index < openFilesMax; index++) {
      const file = this.get(index);
      if (file.references !== 0) yield file;
    }
  }
}
