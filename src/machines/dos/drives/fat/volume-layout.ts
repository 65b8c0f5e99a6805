import { type Disk, sectorBytes } from './disk.ts';

/** Where on a disk a FAT volume keeps what. Sectors count from the start of the volume. */
export interface VolumeLayout {
  /** Of the volume on the disk. */
  readonly firstSector: number;
  readonly bytesPerSector: number;
  readonly sectors: number;
  readonly sectorsPerCluster: number;
  readonly reserved: number;
  readonly fats: number;
  readonly sectorsPerFat: number;
  readonly rootEntries: number;
  readonly rootSector: number;
  readonly rootSectors: number;
  readonly dataSector: number;
  /** Clusters 2 … clusters + 1 exist. */
  readonly clusters: number;
  readonly bits: 12 | 16;
  readonly media: number;
}

/** What a boot sector, or the BIOS parameter block of a driver, says. */
export interface VolumeParameters {
  readonly bytesPerSector: number;
  readonly sectors: number;
  readonly sectorsPerCluster: number;
  readonly reserved: number;
  readonly fats: number;
  readonly sectorsPerFat: number;
  readonly rootEntries: number;
  readonly media: number;
}

const maxClusters16 = 65_524;
const maxClusters12 = 4_084;

/** Floppies of DOS 1, whose boot sector says nothing: sectors per cluster, per FAT, root entries, media byte. */
const oldFloppies: Readonly<Record<number, readonly [number, number, number, number]>> = {
  320: [1, 1, 64, 0xfe],
  360: [1, 2, 64, 0xfc],
  640: [2, 1, 112, 0xff],
  720: [2, 2, 112, 0xfd],
};

/** Reads the boot sector at this place; undefined where it is not that of a FAT12 or FAT16 volume. */
export function readLayout(disk: Disk, firstSector: number): VolumeLayout | undefined {
  if (firstSector >= disk.sectors) return undefined;
  const boot = disk.read(firstSector);
  const view = new DataView(boot.buffer, boot.byteOffset, boot.byteLength);
  const word = (offset: number) => view.getUint16(offset, true);
  const byte = (offset: number) => view.getUint8(offset);
  const parameters = {
    bytesPerSector: word(0x0b),
    sectors: word(0x13) || view.getUint32(0x20, true),
    sectorsPerCluster: byte(0x0d),
    reserved: word(0x0e),
    fats: byte(0x10),
    sectorsPerFat: word(0x16),
    rootEntries: word(0x11),
    media: byte(0x15),
  };
  if (word(0x0b) === sectorBytes) return checked(disk, firstSector, parameters);
  const old = firstSector === 0 ? oldFloppies[disk.sectors] : undefined;
  if (old === undefined) return undefined;
  const [sectorsPerCluster, sectorsPerFat, rootEntries, media] = old;
  if (disk.read(1)[0] !== media) return undefined;
  const rest = { bytesPerSector: sectorBytes, sectors: disk.sectors, reserved: 1, fats: 2 };
  return checked(disk, 0, { ...rest, sectorsPerCluster, sectorsPerFat, rootEntries, media });
}

function checked(disk: Disk, firstSector: number, values: VolumeParameters): VolumeLayout | undefined {
  return firstSector + values.sectors > disk.sectors ? undefined : layOut(values, firstSector);
}

/** Where things lie on a volume of these parameters; undefined where they make no sense. */
export function layOut(values: VolumeParameters, firstSector = 0): VolumeLayout | undefined {
  const { bytesPerSector, sectors, sectorsPerCluster, reserved, fats, sectorsPerFat, rootEntries, media } = values;
  if (!isPowerOfTwo(sectorsPerCluster) || reserved === 0 || fats === 0 || fats > 4 || media < 0xf0) return undefined;
  if (sectorsPerFat === 0 || rootEntries === 0) return undefined;
  const rootSector = reserved + fats * sectorsPerFat;
  const rootSectors = Math.ceil((rootEntries * 32) / bytesPerSector);
  const dataSector = rootSector + rootSectors;
  const possible = Math.floor((sectors - dataSector) / sectorsPerCluster);
  if (possible < 1 || possible > maxClusters16) return undefined;
  const bits = possible <= maxClusters12 ? 12 : 16;
  // A table too short for the data would send entries beyond its end.
  const clusters = Math.min(possible, Math.floor((sectorsPerFat * bytesPerSector * 8) / bits) - 2);
  if (clusters < 1) return undefined;
  return { ...values, firstSector, rootSector, rootSectors, dataSector, clusters, bits };
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && (value & (value - 1)) === 0;
}

const fatTypes = new Set([0x01, 0x04, 0x06, 0x0e]);
const extendedTypes = new Set([0x05, 0x0f]);
const tableStart = 0x1be;
const maxLogical = 24;

/** All FAT volumes of a disk: itself, or those of its partition table, the logical ones after the primary ones. */
export function findVolumes(disk: Disk): VolumeLayout[] {
  const whole = readLayout(disk, 0);
  if (whole !== undefined) return [whole];
  const volumes: VolumeLayout[] = [];
  for (const { type, start } of partitions(disk, 0)) {
    const layout = fatTypes.has(type) ? readLayout(disk, start) : undefined;
    if (layout !== undefined) volumes.push(layout);
  }
  for (const { type, start } of partitions(disk, 0)) if (extendedTypes.has(type)) logical(disk, start, volumes);
  return volumes;
}

function logical(disk: Disk, base: number, volumes: VolumeLayout[]): void {
  let table = base;
  for (let i = 0; i < maxLogical; i++) {
    const entries = partitions(disk, table);
    const own = entries.find(({ type }) => fatTypes.has(type));
    const layout = own && readLayout(disk, table + own.start);
    if (layout !== undefined) volumes.push(layout);
    const next = entries.find(({ type }) => extendedTypes.has(type));
    if (next === undefined) return;
    table = base + next.start;
  }
}

function partitions(disk: Disk, sector: number): { type: number; start: number }[] {
  if (sector >= disk.sectors) return [];
  const table = disk.read(sector);
  if (table[510] !== 0x55 || table[511] !== 0xaa) return [];
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  return [0, 1, 2, 3].flatMap((index) => {
    const entry = tableStart + index * 16;
    const type = view.getUint8(entry + 4);
    return type === 0 ? [] : [{ type, start: view.getUint32(entry + 8, true) }];
  });
}
