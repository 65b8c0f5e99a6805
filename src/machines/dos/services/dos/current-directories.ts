import { DosError } from '../../drives/dos-error.ts';
import type { GuestMemory } from '../guest.ts';
import { linear } from './far-pointer.ts';
import { readAsciz, writeAsciz } from './guest-text.ts';
import { at, dosSegment, drivesMax, sizes } from './layout.ts';

const physical = 0x4000;
const maxPath = 66;

/** The current directory of every drive, in the array that the list of lists points to. */
export class CurrentDirectories {
  readonly #memory: GuestMemory;

  constructor(memory: GuestMemory) {
    this.#memory = memory;
  }

  address(drive: number): number {
    return linear(dosSegment, at.directories) + drive * sizes.directory;
  }

  /** As `C:\DIR\SUB`. */
  get(drive: number): string {
    return readAsciz(this.#memory, dosSegment, at.directories + drive * sizes.directory, maxPath + 1);
  }

  set(drive: number, path: string): void {
    if (path.length > maxPath) throw new DosError('pathNotFound');
    writeAsciz(this.#memory, this.address(drive), path);
  }

  reset(drive: number, present: boolean): void {
    const address = this.address(drive);
    this.#memory.write(address, new Uint8Array(sizes.directory));
    this.set(drive, `${String.fromCharCode(0x41 + drive)}:\\`);
    this.#memory.write16(address + 0x43, present ? physical : 0);
    const parameters = present ? ((dosSegment << 16) | (at.drives + drive * sizes.drive)) >>> 0 : 0;
    this.#memory.write32(address + 0x45, parameters);
    this.#memory.write16(address + 0x49, 0);
    this.#memory.write32(address + 0x4b, 0xffff_ffff);
    this.#memory.write16(address + 0x4f, 2);
  }

  valid(drive: number): boolean {
    return drive < drivesMax && (this.#memory.read16(this.address(drive) + 0x43) & physical) !== 0;
  }
}
