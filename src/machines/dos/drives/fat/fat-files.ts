import { DosError } from '../dos-error.ts';
import { attributes, type DirectoryEntry } from '../drive.ts';
import type { AllocationTable } from './allocation-table.ts';
import type { FatDirectories } from './fat-directory.ts';
import type { SectorStore } from './sector-store.ts';
import type { VolumeLayout } from './volume-layout.ts';

/** The contents of files: chains of clusters, and the sizes their directory entries give. */
export class FatFiles {
  readonly #disk: SectorStore;
  readonly #layout: VolumeLayout;
  readonly #table: AllocationTable;
  readonly #directories: FatDirectories;
  /** The chain walked last, good while nothing is written. */
  #chain: { start: number; version: number; clusters: number[] } = { start: -1, version: -1, clusters: [] };

  constructor(disk: SectorStore, layout: VolumeLayout, table: AllocationTable, directories: FatDirectories) {
    this.#disk = disk;
    this.#layout = layout;
    this.#table = table;
    this.#directories = directories;
  }

  read(id: number, position: number, length: number): Uint8Array {
    const entry = this.#file(id);
    const count = Math.max(0, Math.min(length, entry.size - position));
    const bytes = new Uint8Array(count);
    const clusters = count === 0 ? [] : this.#clusters(entry.start);
    let done = 0;
    while (done < count) {
      const { sector, offset } = this.#locate(clusters, position + done);
      const part = this.#read(sector).subarray(offset, offset + count - done);
      bytes.set(part, done);
      done += part.length;
    }
    return bytes;
  }

  write(id: number, position: number, bytes: Uint8Array, stamp: number): number {
    const entry = this.#file(id);
    const end = this.#extend(entry, position + bytes.length);
    const count = Math.max(0, Math.min(bytes.length, end - position));
    if (count === 0) {
      // The disk ended before the place to write at: what was taken on the way is given back.
      this.truncate(id, entry.size, entry.stamp);
      return 0;
    }
    if (position > entry.size) this.#fill(id, entry.size, position);
    this.#put(this.#clusters(this.#directories.get(id).start), position, bytes.subarray(0, count));
    const now = this.#directories.get(id);
    const size = Math.max(entry.size, position + count);
    this.#directories.write(id, { ...now, size, stamp, attributes: now.attributes | attributes.archive });
    return count;
  }

  truncate(id: number, size: number, stamp: number): void {
    const entry = this.#file(id);
    if (size > entry.size) {
      if (this.#extend(entry, size) < size) {
        this.truncate(id, entry.size, stamp);
        throw new DosError('diskFull');
      }
      this.#fill(id, entry.size, size);
      this.#directories.write(id, { ...this.#directories.get(id), size, stamp });
      return;
    }
    const kept = Math.ceil(size / this.#clusterBytes);
    const clusters = entry.start === 0 ? [] : this.#clusters(entry.start);
    const last = clusters[kept - 1];
    this.#table.free(clusters.slice(kept));
    if (last !== undefined) this.#table.markEnd(last);
    this.#directories.write(id, { ...entry, size, stamp, start: kept === 0 ? 0 : entry.start });
  }

  #file(id: number): DirectoryEntry {
    const entry = this.#directories.get(id);
    if (entry.attributes & (attributes.directory | attributes.label)) throw new DosError('accessDenied');
    return entry;
  }

  #clusters(start: number): number[] {
    const { version } = this.#disk;
    if (this.#chain.start !== start || this.#chain.version !== version) {
      this.#chain = { start, version, clusters: this.#table.chain(start) };
    }
    return this.#chain.clusters;
  }

  #locate(clusters: readonly number[], position: number): { sector: number; offset: number } {
    const cluster = clusters[Math.floor(position / this.#clusterBytes)];
    if (cluster === undefined) throw new DosError('readFault', 'a file is longer than its clusters');
    const inside = position % this.#clusterBytes;
    const sector = this.#layout.dataSector + (cluster - 2) * this.#layout.sectorsPerCluster;
    const { bytesPerSector } = this.#layout;
    return { sector: sector + Math.floor(inside / bytesPerSector), offset: inside % bytesPerSector };
  }

  /** Gives a file clusters up to this size; returns how many bytes it has room for. */
  #extend(entry: DirectoryEntry, size: number): number {
    const clusters = entry.start === 0 ? [] : [...this.#clusters(entry.start)];
    const wanted = Math.ceil(size / this.#clusterBytes);
    while (clusters.length < wanted) {
      const last = clusters.at(-1);
      const next = this.#table.allocate(last ?? 1);
      if (next === undefined) break;
      if (last === undefined) this.#directories.write(entry.id, { ...entry, start: next });
      else this.#table.set(last, next);
      clusters.push(next);
    }
    return clusters.length * this.#clusterBytes;
  }

  #fill(id: number, from: number, to: number): void {
    if (to > from) this.#put(this.#clusters(this.#directories.get(id).start), from, new Uint8Array(to - from));
  }

  #put(clusters: readonly number[], position: number, bytes: Uint8Array): void {
    let done = 0;
    while (done < bytes.length) {
      const { sector, offset } = this.#locate(clusters, position + done);
      const part = bytes.subarray(done, done + this.#layout.bytesPerSector - offset);
      if (part.length === this.#layout.bytesPerSector) this.#write(sector, part);
      else {
        const changed = this.#read(sector).slice();
        changed.set(part, offset);
        this.#write(sector, changed);
      }
      done += part.length;
    }
  }

  release(entry: DirectoryEntry): void {
    if (entry.start !== 0) this.#table.free(this.#table.chain(entry.start));
  }

  get #clusterBytes(): number {
    return this.#layout.sectorsPerCluster * this.#layout.bytesPerSector;
  }

  #read(sector: number): Uint8Array {
    return this.#disk.read(this.#layout.firstSector + sector);
  }

  #write(sector: number, bytes: Uint8Array): void {
    this.#disk.write(this.#layout.firstSector + sector, bytes);
  }
}
