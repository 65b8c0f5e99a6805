import { DosError } from '../../drives/dos-error.ts';
import { formatName, parseName, upperCase } from '../../drives/names.ts';
import type { CurrentDirectories } from './current-directories.ts';
import type { DeviceHeader, Devices } from './devices.ts';
import type { SwappableArea } from './swappable-area.ts';

export interface ResolvedPath {
  readonly drive: number;
  /** From the root down, 11 bytes each. */
  readonly names: readonly string[];
  /** Set where the last name means a device. */
  readonly device?: DeviceHeader;
}

const maxLength = 127;
const maxDirectory = 63;

/** Turns what programs write into drive and names. */
export class Paths {
  readonly #directories: CurrentDirectories;
  readonly #devices: Devices;
  readonly #area: SwappableArea;

  constructor(directories: CurrentDirectories, devices: Devices, area: SwappableArea) {
    this.#directories = directories;
    this.#devices = devices;
    this.#area = area;
  }

  resolve(text: string, wildcards = false): ResolvedPath {
    if (text === '' || text.length > maxLength) throw new DosError(text === '' ? 'fileNotFound' : 'pathNotFound');
    const { drive, rest } = this.splitDrive(text);
    const parts = rest.split(/[\\/]/);
    const device = this.#device(parts.at(-1) ?? '');
    if (device !== undefined) return { drive, names: [], device };
    if (!this.#directories.valid(drive)) throw new DosError('pathNotFound');
    const absolute = parts.length > 1 && parts[0] === '';
    const names = absolute ? [] : this.#current(drive);
    parts.forEach((part, index) => {
      this.#append(names, part, wildcards && index === parts.length - 1, index === parts.length - 1);
    });
    if (names.reduce((sum, name) => sum + formatName(name).length + 1, 0) > maxDirectory + 13) {
      throw new DosError('pathNotFound');
    }
    return { drive, names };
  }

  /** The drive a path starts with, or the current one. */
  splitDrive(text: string): { drive: number; rest: string } {
    if (text[1] !== ':') return { drive: this.#area.currentDrive, rest: text };
    const drive = upperCase(text[0] ?? '').charCodeAt(0) - 0x41;
    if (drive < 0 || drive > 25) throw new DosError('pathNotFound');
    return { drive, rest: text.slice(2) };
  }

  /** As `C:\DIR\FILE.EXT`; devices as `CON`. */
  format(path: ResolvedPath): string {
    if (path.device !== undefined) return path.device.name;
    return `${String.fromCharCode(0x41 + path.drive)}:\\${path.names.map(formatName).join('\\')}`;
  }

  #device(last: string): DeviceHeader | undefined {
    const [stem = ''] = upperCase(last).split('.');
    const trimmed = stem.replace(/ +$/, '').replace(/:$/, '');
    return trimmed === '' || trimmed.length > 8 ? undefined : this.#devices.find(trimmed);
  }

  #current(drive: number): string[] {
    const text = this.#directories.get(drive).slice(3);
    return text === '' ? [] : text.split('\\').map((name) => parseName(name) ?? '');
  }

  #append(names: string[], part: string, wildcards: boolean, last: boolean): void {
    if (part === '' || part === '.') return;
    if (part === '..') {
      if (names.pop() === undefined) throw new DosError('pathNotFound');
      return;
    }
    const name = parseName(part.replace(/ +$/, ''), wildcards);
    if (name === undefined) throw new DosError(last ? 'fileNotFound' : 'pathNotFound');
    names.push(name);
  }
}
