import { DosError } from '../../drives/dos-error.ts';
import { formatName, parseName, upperCase } from '../../drives/names.ts';
import type { CurrentDirectories } from './current-directories.ts';
import type { DeviceHeader, Devices } from './devices.ts';
import type { SwappableArea } from './swappable-area.ts';

export interface ResolvedPath {
  /** The one that has the file, whatever SUBST and JOIN have made of its letter. */
  readonly drive: number;
  /** The drive that the path named. */
  readonly letter?: number;
  /** From the root down, 11 bytes each. */
  readonly names: readonly string[];
  /** Set where the last name means a device. */
  readonly device?: DeviceHeader;
}

const maxLength = 127;
const maxDirectory = 63;

/** Whether there is such a directory; the root always is. */
export type HasFolder = (drive: number, names: readonly string[]) => boolean;

/** Turns what programs write into drive and names. */
export class Paths {
  readonly #directories: CurrentDirectories;
  readonly #devices: Devices;
  readonly #area: SwappableArea;
  readonly #hasFolder: HasFolder;

  constructor(directories: CurrentDirectories, devices: Devices, area: SwappableArea, hasFolder: HasFolder) {
    this.#directories = directories;
    this.#devices = devices;
    this.#area = area;
    this.#hasFolder = hasFolder;
  }

  resolve(text: string, wildcards = false): ResolvedPath {
    if (text === '' || text.length > maxLength) throw new DosError(text === '' ? 'fileNotFound' : 'pathNotFound');
    const { drive, rest } = this.splitDrive(text);
    const parts = rest.split(/[\\/]/);
    const device = this.#device(parts.at(-1) ?? '');
    if (device !== undefined) {
      if (text[1] === ':' || parts.length > 1) this.#needFolder(text, parts);
      return { drive, names: [], device };
    }
    if (!this.#directories.valid(drive)) throw new DosError('pathNotFound');
    const absolute = parts.length > 1 && parts[0] === '';
    const current = this.#directories.text(drive);
    const root = namesOf(current.slice(0, this.#directories.rootLength(drive)));
    const names = absolute ? [...root] : namesOf(current);
    parts.forEach((part, index) => {
      this.#append(names, part, wildcards && index === parts.length - 1, index === parts.length - 1);
      if (names.length < root.length) throw new DosError('pathNotFound');
    });
    if (names.reduce((sum, name) => sum + formatName(name).length + 1, 0) > maxDirectory + 13) {
      throw new DosError('pathNotFound');
    }
    return { ...this.#spliced(this.#directories.real(drive), names), letter: drive };
  }

  /** A device is in every directory that there is, and in one that need not be: `\\DEV`. */
  #needFolder(text: string, parts: readonly string[]): void {
    if (parts.length === 3 && parts[0] === '' && upperCase(parts[1] ?? '') === 'DEV') return;
    const folder = this.resolve(text.slice(0, text.length - (parts.at(-1) ?? '').length) || '.');
    if (!this.#hasFolder(folder.drive, folder.names)) throw new DosError('pathNotFound');
  }

  /** The drive a path starts with, or the current one. */
  splitDrive(text: string): { drive: number; rest: string } {
    if (text[1] !== ':') return { drive: this.#area.currentDrive, rest: text };
    const drive = upperCase(text[0] ?? '').charCodeAt(0) - 0x41;
    if (drive < 0 || drive > 25) throw new DosError('pathNotFound');
    return { drive, rest: text.slice(2) };
  }

  /** As `C:\DIR\FILE.EXT`, without drives of SUBST; devices as `CON`. */
  format(path: ResolvedPath): string {
    if (path.device !== undefined) return path.device.name;
    const text = path.names.map(formatName).join('\\');
    if (!this.#directories.isJoined(path.drive)) return `${String.fromCharCode(0x41 + path.drive)}:\\${text}`;
    const place = this.#directories.text(path.drive);
    return text === '' ? place : `${place}\\${text}`;
  }

  /** The same with the letter that it was named with. */
  shown(path: ResolvedPath): string {
    const { letter } = path;
    const text = this.format(path);
    if (letter === undefined || path.device !== undefined || !this.#directories.isSubstituted(letter)) return text;
    return `${String.fromCharCode(0x41 + letter)}:\\${text.slice(this.#directories.rootLength(letter) + 1)}`;
  }

  /** Below a directory that JOIN has made of a drive, the files are that drive's. */
  #spliced(drive: number, names: readonly string[]): ResolvedPath {
    for (const joined of this.#directories.joined()) {
      const place = this.#directories.text(joined);
      const prefix = namesOf(place);
      const inside = place.charCodeAt(0) - 0x41 === drive && prefix.every((name, index) => names[index] === name);
      if (inside) return { drive: joined, names: names.slice(prefix.length) };
    }
    return { drive, names };
  }

  #device(last: string): DeviceHeader | undefined {
    const [stem = ''] = upperCase(last).split('.');
    const trimmed = stem.replace(/ +$/, '').replace(/:$/, '');
    return trimmed === '' || trimmed.length > 8 ? undefined : this.#devices.find(trimmed);
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

/** Of `C:\DIR\SUB`. */
function namesOf(text: string): string[] {
  return text
    .slice(3)
    .split('\\')
    .filter((name) => name !== '')
    .map((name) => parseName(name) ?? '');
}
