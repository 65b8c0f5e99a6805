import { DosError } from '../../drives/dos-error.ts';
import { attributes } from '../../drives/drive.ts';
import { upperCase } from '../../drives/names.ts';
import type { GuestMemory } from '../guest.ts';
import type { Dos } from './dos.ts';
import { linear } from './far-pointer.ts';
import { readText, writeText } from './guest-text.ts';
import { openFilesMax } from './layout.ts';
import type { ResolvedPath } from './paths.ts';
import { openModes, type SystemFile } from './system-files.ts';

const extendedMark = 0xff;
const extendedBytes = 7;
/** Offsets in the block proper. */
const at = {
  drive: 0x00,
  name: 0x01,
  block: 0x0c,
  recordSize: 0x0e,
  size: 0x10,
  date: 0x14,
  time: 0x16,
  file: 0x18,
  record: 0x20,
  random: 0x21,
} as const;
const recordsPerBlock = 128;
const newName = 0x11;

/** A file control block in the memory of a program. */
export class FileControlBlock {
  readonly extended: boolean;
  readonly #memory: GuestMemory;
  readonly #address: number;

  constructor(memory: GuestMemory, segment: number, offset: number) {
    this.#memory = memory;
    this.extended = memory.read8(linear(segment, offset)) === extendedMark;
    this.#address = linear(segment, offset) + (this.extended ? extendedBytes : 0);
  }

  /** Where the block proper starts. */
  get address(): number {
    return this.#address;
  }
  /** Of an extended block: the attribute to create or search with. */
  get attribute(): number {
    return this.extended ? this.#memory.read8(this.#address - 1) : 0;
  }
  /** 0 for the current drive, 1 for A:. */
  get driveCode(): number {
    return this.#memory.read8(this.#address);
  }
  set driveCode(code: number) {
    this.#memory.write8(this.#address, code);
  }
  get name(): string {
    return upperCase(readText(this.#memory, this.#address + at.name, 11));
  }
  get newName(): string {
    return upperCase(readText(this.#memory, this.#address + newName, 11));
  }
  get recordSize(): number {
    return this.#memory.read16(this.#address + at.recordSize) || recordsPerBlock;
  }
  set recordSize(size: number) {
    this.#memory.write16(this.#address + at.recordSize, size);
  }
  /** The record that sequential reads and writes are at: block and record within it. */
  get sequential(): number {
    return (
      this.#memory.read16(this.#address + at.block) * recordsPerBlock + this.#memory.read8(this.#address + at.record)
    );
  }
  set sequential(record: number) {
    this.#memory.write16(this.#address + at.block, Math.floor(record / recordsPerBlock));
    this.#memory.write8(this.#address + at.record, record % recordsPerBlock);
  }
  /** Four bytes for short records, three for long ones, whose programs use the fourth themselves. */
  get random(): number {
    const value = this.#memory.read32(this.#address + at.random);
    return this.recordSize < 64 ? value : value & 0xff_ffff;
  }
  set random(record: number) {
    const kept = this.recordSize < 64 ? 0 : this.#memory.read32(this.#address + at.random) & 0xff00_0000;
    this.#memory.write32(this.#address + at.random, (kept | record) >>> 0);
  }
  set size(size: number) {
    this.#memory.write32(this.#address + at.size, size);
  }
  /** Searches keep their place in the fields an open file would use. */
  get searchSlot(): number {
    return this.#memory.read16(this.#address + at.block);
  }
  set searchSlot(slot: number) {
    this.#memory.write16(this.#address + at.block, slot);
  }
  get searchDirectory(): number {
    return this.#memory.read32(this.#address + at.size);
  }
  set searchDirectory(directory: number) {
    this.#memory.write32(this.#address + at.size, directory);
  }

  drive(dos: Dos): number {
    const drive = this.driveCode === 0 ? dos.area.currentDrive : this.driveCode - 1;
    if (!dos.directories.valid(drive)) throw new DosError('invalidDrive');
    return drive;
  }

  /** In the current directory of its drive, which is all that a block can name. */
  path(dos: Dos, name = this.name): ResolvedPath {
    const device = dos.devices.find(name.slice(0, 8).trimEnd());
    if (device !== undefined) return { drive: 0, names: [], device };
    const { drive, names, letter } = dos.paths.resolve(`${String.fromCharCode(0x41 + this.drive(dos))}:.`);
    return { drive, names: [...names, name], letter: letter ?? drive };
  }

  /** Remembers an open file in the block. */
  attach(dos: Dos, file: SystemFile): void {
    file.mode |= openModes.fcb;
    if (!file.isDevice) this.driveCode = file.drive + 1;
    this.#memory.write16(this.#address + at.block, 0);
    this.recordSize = recordsPerBlock;
    this.size = dos.handles.size(file);
    this.#memory.write16(this.#address + at.date, file.stamp >>> 16);
    this.#memory.write16(this.#address + at.time, file.stamp & 0xffff);
    this.#memory.write8(this.#address + at.file, file.index);
  }

  /** The open file of this block; opened again by name where its place was given away. */
  file(dos: Dos): SystemFile {
    const file = this.openFile(dos);
    if (file !== undefined) return file;
    const again = dos.handles.openPath(this.path(dos), openModes.readWrite);
    again.mode |= openModes.fcb;
    this.#memory.write8(this.#address + at.file, again.index);
    return again;
  }

  openFile(dos: Dos): SystemFile | undefined {
    const index = this.#memory.read8(this.#address + at.file);
    if (index >= openFilesMax) return undefined;
    const file = dos.files.get(index);
    const ours = file.references > 0 && (file.mode & openModes.fcb) !== 0 && file.name === this.name;
    return ours ? file : undefined;
  }

  writeName(name: string): void {
    writeText(this.#memory, this.#address + at.name, name);
  }

  /** What searches look for: an extended block says so itself. */
  get searchAttributes(): number {
    return this.extended ? this.attribute : this.attribute & ~attributes.label;
  }
}
