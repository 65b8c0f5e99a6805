import { DosError } from '../dos-error.ts';
import type { SectorStore } from './sector-store.ts';
import type { VolumeLayout } from './volume-layout.ts';

/** The file allocation table of a volume, kept the same in all its copies. */
export class AllocationTable {
  readonly #disk: SectorStore;
  readonly #layout: VolumeLayout;
  readonly #end: number;
  #free = -1;
  #freeVersion = -1;

  constructor(disk: SectorStore, layout: VolumeLayout) {
    this.#disk = disk;
    this.#layout = layout;
    this.#end = layout.bits === 12 ? 0xfff : 0xffff;
  }

  /** The clusters of a chain. Cycles, and links out of the volume, are damage. */
  chain(start: number): number[] {
    const clusters: number[] = [];
    const { clusters: count } = this.#layout;
    for (let cluster = start; cluster < (this.#end & ~7); cluster = this.get(cluster)) {
      if (cluster < 2 || cluster > count + 1 || clusters.length >= count) {
        throw new DosError('readFault', 'the file allocation table is damaged');
      }
      clusters.push(cluster);
    }
    return clusters;
  }

  get(cluster: number): number {
    if (this.#layout.bits === 16) return this.#byte(cluster * 2) | (this.#byte(cluster * 2 + 1) << 8);
    const offset = cluster + (cluster >> 1);
    const pair = this.#byte(offset) | (this.#byte(offset + 1) << 8);
    return cluster & 1 ? pair >> 4 : pair & 0xfff;
  }

  set(cluster: number, value: number): void {
    if (this.#layout.bits === 16) {
      this.#setByte(cluster * 2, value & 0xff);
      this.#setByte(cluster * 2 + 1, value >> 8);
      return;
    }
    const offset = cluster + (cluster >> 1);
    const low = this.#byte(offset);
    const high = this.#byte(offset + 1);
    const pair = low | (high << 8);
    const changed = cluster & 1 ? (pair & 0x00f) | (value << 4) : (pair & 0xf000) | (value & 0xfff);
    this.#setByte(offset, changed & 0xff);
    this.#setByte(offset + 1, changed >> 8);
  }

  /** Takes a free cluster and marks it as the end of a chain; undefined when the disk is full. */
  allocate(after: number): number | undefined {
    const { clusters } = this.#layout;
    for (let i = 0; i < clusters; i++) {
      const cluster = ((Math.max(after, 1) - 1 + i) % clusters) + 2;
      if (this.get(cluster) !== 0) continue;
      this.set(cluster, this.#end);
      return cluster;
    }
    return undefined;
  }

  markEnd(cluster: number): void {
    this.set(cluster, this.#end);
  }

  free(clusters: readonly number[]): void {
    for (const cluster of clusters) this.set(cluster, 0);
  }

  freeCount(): number {
    if (this.#freeVersion !== this.#disk.version) {
      this.#free = 0;
      for (let cluster = 2; cluster < this.#layout.clusters + 2; cluster++) if (this.get(cluster) === 0) this.#free++;
      this.#freeVersion = this.#disk.version;
    }
    return this.#free;
  }

  #byte(offset: number): number {
    const { firstSector, reserved, bytesPerSector } = this.#layout;
    const sector = firstSector + reserved + Math.floor(offset / bytesPerSector);
    return this.#disk.read(sector)[offset % bytesPerSector] ?? 0;
  }

  #setByte(offset: number, value: number): void {
    const { firstSector, reserved, fats, sectorsPerFat, bytesPerSector } = this.#layout;
    for (let copy = 0; copy < fats; copy++) {
      const sector = firstSector + reserved + copy * sectorsPerFat + Math.floor(offset / bytesPerSector);
      const bytes = this.#disk.read(sector).slice();
      bytes[offset % bytesPerSector] = value;
      this.#disk.write(sector, bytes);
    }
  }
}
