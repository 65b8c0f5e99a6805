import { DosError } from '../../drives/dos-error.ts';
import type { GuestMemory } from '../guest.ts';
import { linear } from './far-pointer.ts';
import { readAsciz, writeAsciz } from './guest-text.ts';
import { at, dosSegment, drivesMax, sizes } from './layout.ts';

/** Bits at 43h. */
const flags = { remote: 0x8000, physical: 0x4000, joined: 0x2000, substituted: 0x1000 } as const;
const flagsAt = 0x43;
const parametersAt = 0x45;
/** Where in the path the root of the drive ends: 2 in `C:\`, more for a drive that SUBST has made. */
const rootAt = 0x4f;
const plainRoot = 2;
const maxPath = 66;

/**
 * The current directory of every drive, in the array that the list of lists points to. A drive made by SUBST has the
 * path of what it stands for there, a drive hidden by JOIN the directory where its files appear.
 */
export class CurrentDirectories {
  readonly #memory: GuestMemory;

  constructor(memory: GuestMemory) {
    this.#memory = memory;
  }

  /** As programs see it: `C:\DIR\SUB`. */
  get(drive: number): string {
    return `${letterOf(drive)}:\\${this.text(drive).slice(this.rootLength(drive) + 1)}`;
  }

  /** With the drive and directory that SUBST put in its place. */
  text(drive: number): string {
    return readAsciz(this.#memory, dosSegment, at.directories + drive * sizes.directory, maxPath + 1);
  }

  set(drive: number, path: string): void {
    if (path.length > maxPath) throw new DosError('pathNotFound');
    writeAsciz(this.#memory, this.#address(drive), path);
  }

  rootLength(drive: number): number {
    return this.#memory.read16(this.#address(drive) + rootAt);
  }

  /** `remote` is what a drive behind MSCDEX or a network is. */
  reset(drive: number, present: boolean, remote = false): void {
    this.#memory.write(this.#address(drive), new Uint8Array(sizes.directory));
    this.#write(drive, `${letterOf(drive)}:\\`, present ? flags.physical | (remote ? flags.remote : 0) : 0, drive);
  }

  /** Makes a drive of a directory, given as `C:\DIR`. */
  substitute(drive: number, path: string): void {
    const real = path.charCodeAt(0) - 0x41;
    this.#write(drive, path, flags.physical | flags.substituted, real);
    this.#memory.write16(this.#address(drive) + rootAt, path.replace(/\\$/, '').length);
  }

  /** Makes the files of a drive appear below a directory, and there only. */
  join(drive: number, path: string): void {
    this.#write(drive, path, flags.physical | flags.joined, drive);
  }

  /** Whether programs can name this drive. */
  valid(drive: number): boolean {
    return drive < drivesMax && (this.#flags(drive) & (flags.physical | flags.joined)) === flags.physical;
  }

  isSubstituted(drive: number): boolean {
    return drive < drivesMax && (this.#flags(drive) & flags.substituted) !== 0;
  }

  isJoined(drive: number): boolean {
    return drive < drivesMax && (this.#flags(drive) & flags.joined) !== 0;
  }

  /** The drive whose files it shows: its own, or that of a substituted one. */
  real(drive: number): number {
    return this.isSubstituted(drive) ? this.text(drive).charCodeAt(0) - 0x41 : drive;
  }

  /** Drives that JOIN has hidden. */
  joined(): number[] {
    const drives: number[] = [];
    for (let drive = 0; drive < drivesMax; drive++) if (this.isJoined(drive)) drives.push(drive);
    return drives;
  }

  /** Whether a directory is some drive's current one, or what it stands for. */
  isInUse(path: string): boolean {
    for (let drive = 0; drive < drivesMax; drive++) {
      if (this.#flags(drive) & flags.physical && this.text(drive) === path) return true;
    }
    return false;
  }

  /** Function 5Fh takes drives away and brings them back. */
  enable(drive: number, on: boolean): void {
    if (drive >= drivesMax) throw new DosError('invalidDrive');
    const value = this.#flags(drive);
    this.#memory.write16(this.#address(drive) + flagsAt, on ? value | flags.physical : value & ~flags.physical);
  }

  #flags(drive: number): number {
    return this.#memory.read16(this.#address(drive) + flagsAt);
  }

  #address(drive: number): number {
    return linear(dosSegment, at.directories) + drive * sizes.directory;
  }

  #write(drive: number, path: string, value: number, real: number): void {
    const address = this.#address(drive);
    this.set(drive, path);
    this.#memory.write16(address + flagsAt, value);
    const parameters =
      value === 0 || (value & flags.remote) !== 0 ? 0 : ((dosSegment << 16) | (at.drives + real * sizes.drive)) >>> 0;
    this.#memory.write32(address + parametersAt, parameters);
    this.#memory.write16(address + 0x49, 0);
    this.#memory.write32(address + 0x4b, 0xffff_ffff);
    this.#memory.write16(address + rootAt, plainRoot);
  }
}

function letterOf(drive: number): string {
  return String.fromCharCode(0x41 + drive);
}
