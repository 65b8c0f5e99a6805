import type { CdDrive } from '../../../chips/cd-drive/cd-drive.ts';
import { type Disc, dataBytes } from '../../../formats/cd/disc.ts';
import { findVolume, type IsoEntry, type IsoVolume, listFolder, recordAt } from '../../../formats/iso/iso-volume.ts';
import { DosError } from './dos-error.ts';
import { attributes, type DirectoryEntry, type Drive, type DrivePath, type DriveSpace } from './drive.ts';
import type { SavedDrive } from './saved-drive.ts';
import { shortNames } from './short-names.ts';
import { dosStamp } from './stamp.ts';

/** In an id: sectors of directories above, places in them below. A CD has fewer sectors than 19 bits can count. */
const placesInFolder = 8192;
const mostSectors = 0x80000;
const mostFolders = 32;
const mostClusters = 0xfffe;
const labelChars = 11;
const dot = '.'.padEnd(labelChars);
const dotDot = '..'.padEnd(labelChars);

interface Volume {
  readonly disc: Disc;
  readonly iso: IsoVolume | undefined;
  readonly folders: Map<number, readonly DirectoryEntry[]>;
  readonly extents: Map<number, IsoEntry>;
}

/** A CD with ISO 9660 that has a drive letter. It can only be read. */
export class CdDriveLetter implements Drive {
  readonly kind = 'cdrom';
  readonly removable = true;
  readonly media = 0xf8;
  readonly #drive: CdDrive<Disc>;
  #known: Volume | undefined;

  constructor(drive: CdDrive<Disc>) {
    this.#drive = drive;
  }

  /** Undefined for a disc without one. */
  get volume(): IsoVolume | undefined {
    return this.#volume().iso;
  }

  get serial(): number {
    return this.volume?.serial ?? 0;
  }

  label(): string {
    const label = this.volume?.label ?? '';
    return label === '' ? '' : label.slice(0, labelChars).padEnd(labelChars);
  }

  lookup(path: DrivePath): DirectoryEntry | undefined {
    const name = path.at(-1);
    if (name === undefined) {
      const { sector } = this.#iso().root;
      return { id: 0, slot: 0, name: '', attributes: attributes.directory, stamp: 0, size: 0, start: sector };
    }
    return this.#find(this.directory(path.slice(0, -1)), name);
  }

  directory(path: DrivePath): number {
    let folder = this.#iso().root.sector;
    for (const name of path) {
      const entry = this.#find(folder, name);
      if (!entry || !(entry.attributes & attributes.directory)) throw new DosError('pathNotFound');
      folder = entry.start;
    }
    return folder;
  }

  scan(directory: number, slot: number): DirectoryEntry | undefined {
    return this.#folder(directory)[slot];
  }

  entry(id: number): DirectoryEntry {
    const found = id === 0 ? this.lookup([]) : this.#folder(Math.floor(id / placesInFolder))[id % placesInFolder];
    if (!found) throw new DosError('fileNotFound');
    return found;
  }

  read(id: number, position: number, length: number): Uint8Array {
    const { size, start } = this.entry(id);
    const { disc, extents } = this.#volume();
    if (extents.get(id)?.isInterleaved) throw new DosError('readFault', 'interleaved files cannot be read');
    const count = Math.max(0, Math.min(length, size - position));
    const bytes = new Uint8Array(count);
    for (let done = 0; done < count; ) {
      const at = (position + done) % dataBytes;
      const sector = disc.data(start + Math.floor((position + done) / dataBytes));
      if (!sector) throw new DosError('sectorNotFound');
      const part = sector.subarray(at, Math.min(dataBytes, at + count - done));
      bytes.set(part, done);
      done += part.length;
    }
    return bytes;
  }

  space(): DriveSpace {
    const sectors = this.#iso().sectors;
    return {
      bytesPerSector: dataBytes,
      sectorsPerCluster: 1,
      clusters: Math.min(mostClusters, sectors),
      freeClusters: 0,
    };
  }

  /** Where the record of a file lies, for whoever wants it as it is. */
  record(id: number): { readonly entry: IsoEntry; readonly bytes: Uint8Array } | undefined {
    const { disc, iso, extents } = this.#volume();
    this.entry(id);
    const entry = id === 0 ? iso?.root : extents.get(id);
    const sector = entry && disc.data(Math.floor(entry.at / dataBytes));
    if (!entry || !sector) return undefined;
    const at = entry.at % dataBytes;
    return { entry, bytes: sector.slice(at, at + Math.max(33, sector[at] ?? 0)) };
  }

  setLabel(): void {
    throw new DosError('accessDenied');
  }

  create(path: DrivePath): DirectoryEntry {
    this.directory(path.slice(0, -1));
    throw new DosError('accessDenied');
  }

  write(): number {
    throw new DosError('accessDenied');
  }

  truncate(): void {
    throw new DosError('accessDenied');
  }

  update(): void {
    throw new DosError('accessDenied');
  }

  delete(path: DrivePath): void {
    this.#refuse(path);
  }

  rename(from: DrivePath): void {
    this.#refuse(from);
  }

  makeDirectory(path: DrivePath): void {
    this.directory(path.slice(0, -1));
    throw new DosError('accessDenied');
  }

  removeDirectory(path: DrivePath): void {
    this.directory(path);
    throw new DosError('accessDenied');
  }

  commit(): void {}

  save(): SavedDrive {
    return { type: 'cdrom' };
  }

  restore(): void {}

  #refuse(path: DrivePath): never {
    if (!this.lookup(path)) throw new DosError('fileNotFound');
    throw new DosError('accessDenied');
  }

  #volume(): Volume {
    const disc = this.#drive.medium;
    if (!disc) throw new DosError('notReady');
    if (this.#known?.disc !== disc)
      this.#known = { disc, iso: findVolume((sector) => disc.data(sector)), folders: new Map(), extents: new Map() };
    return this.#known;
  }

  #iso(): IsoVolume {
    const { iso } = this.#volume();
    if (!iso) throw new DosError('unknownMedia', 'there is no ISO 9660 volume on the disc');
    return iso;
  }

  #find(folder: number, name: string): DirectoryEntry | undefined {
    return this.#folder(folder).find((entry) => entry.name === name && !(entry.attributes & attributes.label));
  }

  #folder(sector: number): readonly DirectoryEntry[] {
    const { disc, folders, extents } = this.#volume();
    const known = folders.get(sector);
    if (known) return known;
    const { root } = this.#iso();
    const own = sector >= mostSectors ? undefined : disc.data(sector);
    if (!own || (own[0] ?? 0) < 34 || own[33] !== 0) throw new DosError('pathNotFound');
    const self = recordAt(own, 0, sector * dataBytes);
    const parent = recordAt(own, own[0] ?? 0, 0);
    if (folders.size >= mostFolders) {
      folders.clear();
      extents.clear();
    }
    const listed = listFolder((each) => disc.data(each), { sector, size: self.size });
    const names = shortNames(listed.map(({ name }) => name));
    const isRoot = sector === root.sector;
    const entries = isRoot ? this.#labelEntry(sector) : [folderEntry(dot, self), folderEntry(dotDot, parent)];
    listed.slice(0, placesInFolder - 2).forEach((entry, index) => {
      const slot = entries.length;
      const id = sector * placesInFolder + slot;
      extents.set(id, entry);
      entries.push({ ...entryOf(entry, names[index] ?? ''), id, slot });
    });
    folders.set(sector, entries);
    return entries;
  }

  #labelEntry(sector: number): DirectoryEntry[] {
    const name = this.label();
    if (name === '') return [];
    const stamp = stampOf(this.#iso().root);
    return [{ id: sector * placesInFolder, slot: 0, name, attributes: attributes.label, stamp, size: 0, start: 0 }];
  }
}

function folderEntry(name: string, entry: IsoEntry): DirectoryEntry {
  const slot = name === dot ? 0 : 1;
  return {
    ...entryOf(entry, name),
    attributes: attributes.directory,
    size: 0,
    id: entry.sector * placesInFolder + slot,
    slot,
  };
}

function entryOf(entry: IsoEntry, name: string): Omit<DirectoryEntry, 'id' | 'slot'> {
  const { isFolder, isHidden, size, sector } = entry;
  const kind = isFolder ? attributes.directory : attributes.readOnly;
  return {
    name,
    attributes: kind | (isHidden ? attributes.hidden : 0),
    stamp: stampOf(entry),
    size: isFolder ? 0 : size,
    start: sector,
  };
}

function stampOf({ date: [year, month, day, hour, minute, second] }: IsoEntry): number {
  return dosStamp({ year, month, day, hour, minute, second });
}
