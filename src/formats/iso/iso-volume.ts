/** What a directory of a CD says of a file. */
export interface IsoEntry {
  /** Without its version number. */
  readonly name: string;
  readonly isFolder: boolean;
  readonly isHidden: boolean;
  readonly sector: number;
  readonly size: number;
  /** Year, month, day, hour, minute, second. */
  readonly date: readonly [number, number, number, number, number, number];
  /** Where its record begins, in bytes from the start of the volume. */
  readonly at: number;
  /** Its pieces are spread among others, which is not read here. */
  readonly isInterleaved: boolean;
}

export interface IsoVolume {
  readonly label: string;
  readonly sectors: number;
  /** Where the descriptor lies, and its serial number as DOS wants one. */
  readonly descriptor: number;
  readonly serial: number;
  readonly copyright: string;
  readonly abstract: string;
  readonly bibliography: string;
  readonly root: IsoEntry;
}

/** A sector of 2,048 bytes; undefined where there is none. */
export type ReadSector = (sector: number) => Uint8Array | undefined;

const sectorBytes = 2048;
const firstDescriptor = 16;
const mostDescriptors = 32;
/** Of a directory: some 20,000 short names. */
const mostDirectoryBytes = 1024 * 1024;
const mostEntries = 8192;
const shortestRecord = 34;
const flags = { hidden: 1, folder: 2, more: 0x80 } as const;

/** The primary volume of a CD with ISO 9660; undefined where there is none. */
export function findVolume(read: ReadSector): IsoVolume | undefined {
  for (let sector = firstDescriptor; sector < firstDescriptor + mostDescriptors; sector++) {
    const bytes = read(sector);
    if (!bytes || isoText(bytes, 1, 5) !== 'CD001' || bytes[0] === 255) return undefined;
    if (bytes[0] !== 1) continue;
    const view = viewOf(bytes);
    if (view.getUint16(128, true) !== sectorBytes) return undefined;
    return {
      label: isoText(bytes, 40, 32).trimEnd(),
      sectors: view.getUint32(80, true),
      descriptor: sector,
      serial: serialOf(bytes),
      copyright: isoText(bytes, 702, 37).trimEnd(),
      abstract: isoText(bytes, 739, 37).trimEnd(),
      bibliography: isoText(bytes, 776, 37).trimEnd(),
      root: recordAt(bytes, 156, sector * sectorBytes + 156),
    };
  }
  return undefined;
}

/** What is in a directory, without itself and its parent. Records that make no sense end it. */
export function listFolder(read: ReadSector, { sector: first, size }: Pick<IsoEntry, 'sector' | 'size'>): IsoEntry[] {
  const entries: IsoEntry[] = [];
  /** The last file has a further record. */
  let goesOn = false;
  const sectors = Math.ceil(Math.min(size, mostDirectoryBytes) / sectorBytes);
  for (let index = 0; index < sectors; index++) {
    const bytes = read(first + index);
    if (!bytes) return entries;
    for (let at = 0; at + shortestRecord <= sectorBytes; at += bytes[at] ?? 0) {
      const length = bytes[at] ?? 0;
      if (length === 0) break;
      if (length < shortestRecord || at + length > sectorBytes) return entries;
      if ((bytes[at + 32] ?? 0) === 1 && (bytes[at + 33] ?? 0) < 2) continue;
      const entry = recordAt(bytes, at, (first + index) * sectorBytes + at);
      const last = entries.at(-1);
      const continued = goesOn && last?.name === entry.name ? last : undefined;
      goesOn = ((bytes[at + 25] ?? 0) & flags.more) !== 0;
      if (continued) {
        entries[entries.length - 1] = joined(continued, entry);
        continue;
      }
      entries.push(entry);
      if (entries.length >= mostEntries) return entries;
    }
  }
  return entries;
}

function joined(first: IsoEntry, next: IsoEntry): IsoEntry {
  const follows = next.sector === first.sector + Math.ceil(first.size / sectorBytes);
  return { ...first, size: first.size + next.size, isInterleaved: first.isInterleaved || !follows };
}

/** The record of a file or folder in a sector; `place` is where it is kept. */
export function recordAt(bytes: Uint8Array, at: number, place: number): IsoEntry {
  const view = viewOf(bytes);
  const flag = bytes[at + 25] ?? 0;
  const date = [0, 1, 2, 3, 4, 5].map((index) => bytes[at + 18 + index] ?? 0) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  date[0] += 1900;
  return {
    name: isoText(bytes, at + 33, Math.min(bytes[at + 32] ?? 0, (bytes[at] ?? 0) - 33))
      .replace(/;\d*$/, '')
      .replace(/\.$/, ''),
    isFolder: (flag & flags.folder) !== 0,
    isHidden: (flag & flags.hidden) !== 0,
    // Extended attributes lie before the file.
    sector: view.getUint32(at + 2, true) + (bytes[at + 1] ?? 0),
    size: view.getUint32(at + 10, true),
    date,
    at: place,
    isInterleaved: (bytes[at + 26] ?? 0) !== 0,
  };
}

function serialOf(descriptor: Uint8Array): number {
  let serial = 0;
  for (let at = 0; at < descriptor.length; at += 4) serial = (serial + viewOf(descriptor).getUint32(at, true)) >>> 0;
  return serial;
}

export function isoText(bytes: Uint8Array, at: number, length: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.max(0, Math.min(length, bytes.length - at))).toString(
    'latin1',
  );
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
