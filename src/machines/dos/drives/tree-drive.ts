import type { TimeSlice } from '../../shared/time-slice.ts';
import { DosError } from './dos-error.ts';
import {
  attributes,
  type DirectoryEntry,
  type Drive,
  type DrivePath,
  type DriveSpace,
  type EntryChange,
} from './drive.ts';
import { type SavedDrive, type SavedTree, savedAs } from './saved-drive.ts';
import { Tree } from './tree.ts';
import type { TreeNode } from './tree-node.ts';
import type { TreeSource } from './tree-source.ts';

/** 16 KiB clusters, half a gigabyte: what programs of the time can still count. */
const geometry = { bytesPerSector: 512, sectorsPerCluster: 32, clusters: 0x7ffd } as const;
const clusterBytes = geometry.bytesPerSector * geometry.sectorsPerCluster;
const maxWrittenBytes = 128 * 1024 * 1024;
/** A file that is written through is written as a whole. */
const maxMirroredBytes = 32 * 1024 * 1024;
const dot = '.'.padEnd(11);
const dotDot = '..'.padEnd(11);

/** Files held in memory over a source that is only read: every change stays here unless the source has a mirror. */
export class TreeDrive implements Drive {
  readonly removable = false;
  readonly media = 0xf8;
  readonly serial: number;
  readonly #source: TreeSource;
  readonly #tree: Tree;
  #label: string;

  constructor(source: TreeSource, label = '', serial = 0x1234_5678) {
    this.#source = source;
    this.#label = label;
    this.serial = serial;
    this.#tree = new Tree(source, clusterBytes);
  }

  get kind(): 'folder' | 'zip' {
    return this.#source.kind;
  }

  label(): string {
    return this.#label;
  }

  setLabel(label: string): void {
    this.#label = label;
  }

  lookup(path: DrivePath): DirectoryEntry | undefined {
    const name = path.at(-1);
    if (name === undefined) return this.#entry(this.#tree.node(0), 0);
    const directory = this.#tree.directory(path.slice(0, -1));
    const node = this.#tree.child(directory, name);
    return node && this.#entry(node, this.#slot(directory, node));
  }

  /** The path here of what the source has under these names, which may be longer. */
  pathFrom(sourceNames: readonly string[]): DrivePath | undefined {
    const path: string[] = [];
    let node: TreeNode | undefined = this.#tree.root;
    for (const name of sourceNames) {
      node = node.attributes & attributes.directory ? this.#tree.childFrom(node, name) : undefined;
      if (node === undefined) return undefined;
      path.push(node.name);
    }
    return path;
  }

  directory(path: DrivePath): number {
    return this.#tree.directory(path).id;
  }

  scan(directory: number, slot: number): DirectoryEntry | undefined {
    const node = this.#tree.node(directory);
    const children = this.#tree.children(node);
    const fixed = this.#fixedEntries(node);
    if (slot < fixed.length) return fixed[slot];
    for (let i = slot - fixed.length; i < children.length; i++) {
      const id = children[i] ?? -1;
      if (id >= 0) return this.#entry(this.#tree.node(id), i + fixed.length);
    }
    return undefined;
  }

  create(path: DrivePath, attribute: number, stamp: number): DirectoryEntry {
    const directory = this.#tree.directory(path.slice(0, -1));
    const name = path.at(-1);
    if (name === undefined) throw new DosError('accessDenied');
    const old = this.#tree.child(directory, name);
    if (old !== undefined) {
      if (old.attributes & (attributes.directory | attributes.readOnly)) throw new DosError('accessDenied');
      this.#tree.empty(old);
      old.stamp = stamp;
      old.attributes = attribute | attributes.archive;
      return this.#entry(old, this.#slot(directory, old));
    }
    const node = this.#tree.add(directory, name, (attribute & ~attributes.directory) | attributes.archive, stamp);
    this.#tree.empty(node);
    this.#orDetach(directory, node, () => this.#mirrorContent(node));
    return this.#entry(node, this.#slot(directory, node));
  }

  entry(id: number): DirectoryEntry {
    const node = this.#tree.node(id);
    return this.#entry(node, node.parent < 0 ? 0 : this.#slot(this.#tree.node(node.parent), node));
  }

  read(id: number, position: number, length: number): Uint8Array {
    const node = this.#tree.file(id);
    const content = this.#tree.content(node);
    return content.read(position, Math.max(0, Math.min(length, node.size - position)));
  }

  write(id: number, position: number, bytes: Uint8Array, stamp: number): number {
    const node = this.#tree.file(id);
    const count = Math.min(bytes.length, Math.max(0, this.#largest(node) - position));
    if (count === 0) return 0;
    const content = this.#tree.changing(node);
    content.write(position, bytes.subarray(0, count));
    this.#tree.setSize(node, Math.max(node.size, position + count));
    node.stamp = stamp;
    node.attributes |= attributes.archive;
    return count;
  }

  truncate(id: number, size: number, stamp: number): void {
    const node = this.#tree.file(id);
    if (size > this.#largest(node)) throw new DosError('diskFull');
    const content = this.#tree.changing(node);
    content.cut(Math.min(size, node.size));
    this.#tree.setSize(node, size);
    node.stamp = stamp;
  }

  update(id: number, change: EntryChange): void {
    const node = this.#tree.node(id);
    if (change.attributes !== undefined) {
      const kept = node.attributes & attributes.directory;
      node.attributes = (change.attributes & ~(attributes.directory | attributes.label)) | kept;
    }
    if (change.stamp !== undefined) node.stamp = change.stamp;
    this.#tree.touch();
  }

  delete(path: DrivePath): void {
    const directory = this.#tree.directory(path.slice(0, -1));
    const node = this.#tree.child(directory, path.at(-1) ?? '');
    if (node === undefined) throw new DosError('fileNotFound');
    if (node.attributes & (attributes.directory | attributes.readOnly)) throw new DosError('accessDenied');
    if (node.key !== undefined) this.#source.mirror?.remove(node.key);
    this.#tree.detach(directory, node);
    this.#tree.forget(node);
  }

  rename(from: DrivePath, to: DrivePath): void {
    const source = this.#tree.directory(from.slice(0, -1));
    const target = this.#tree.directory(to.slice(0, -1));
    const node = this.#tree.child(source, from.at(-1) ?? '');
    const name = to.at(-1);
    if (node === undefined || node.parent < 0) throw new DosError('fileNotFound');
    if (name === undefined || this.#tree.child(target, name) !== undefined) throw new DosError('accessDenied');
    if (node.attributes & attributes.directory && source !== target) throw new DosError('accessDenied');
    const mirror = this.#source.mirror;
    if (mirror !== undefined && node.key !== undefined) {
      const key = mirror.child(target.key ?? '', name);
      mirror.rename(node.key, key);
      // What was listed below it still carries the old keys: read it again under the new ones.
      if (node.attributes & attributes.directory) this.#tree.rekey(node, node.key, key);
      this.#tree.move(node, key);
    }
    if (source !== target) {
      this.#tree.detach(source, node);
      this.#tree.attach(target, node);
    }
    node.name = name;
    this.#tree.touch();
  }

  makeDirectory(path: DrivePath, stamp: number): void {
    const directory = this.#tree.directory(path.slice(0, -1));
    const name = path.at(-1);
    if (name === undefined || this.#tree.child(directory, name) !== undefined) throw new DosError('accessDenied');
    const node = this.#tree.add(directory, name, attributes.directory, stamp);
    node.children = [];
    this.#orDetach(directory, node, () => {
      if (node.key !== undefined) this.#source.mirror?.makeDirectory(node.key);
    });
  }

  removeDirectory(path: DrivePath): void {
    const node = this.#tree.directory(path);
    if (node.parent < 0 || this.#tree.children(node).some((id) => id >= 0)) throw new DosError('accessDenied');
    if (node.key !== undefined) this.#source.mirror?.removeDirectory(node.key);
    this.#tree.detach(this.#tree.node(node.parent), node);
    this.#tree.forget(node);
  }

  commit(id: number): void {
    const node = this.#tree.node(id);
    if (node.written && !(node.attributes & attributes.directory)) this.#mirrorContent(node);
  }

  space(): DriveSpace {
    return { ...geometry, freeClusters: Math.floor(this.#freeBytes() / clusterBytes) };
  }

  save(): SavedTree {
    return { type: 'tree', tree: this.#tree.save(), label: this.#label };
  }

  /** What was saved of this drive, with all that its source still has to give. */
  async whole({ tree, label }: SavedTree, slice: TimeSlice, room: (size: number) => void): Promise<SavedTree> {
    const other = new Tree(this.#source, clusterBytes);
    other.restore(tree);
    return { type: 'tree', tree: await other.whole(slice, room), label };
  }

  restore(saved: SavedDrive): void {
    const { tree, label } = savedAs('tree', saved);
    this.#tree.restore(tree);
    this.#label = label;
  }

  get copiedBytes(): number {
    return this.#tree.copiedBytes;
  }

  get unsaved(): readonly string[] {
    return this.#tree.unsaved;
  }

  /** As long as a file can become. */
  #largest(node: TreeNode): number {
    const room = node.size + this.#freeBytes();
    return this.#source.mirror === undefined ? room : Math.min(room, maxMirroredBytes);
  }

  #freeBytes(): number {
    return Math.max(0, maxWrittenBytes - this.#tree.usedBytes);
  }

  /** A new entry that the mirror refuses does not stay. */
  #orDetach(directory: TreeNode, node: TreeNode, action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#tree.detach(directory, node);
      this.#tree.forget(node);
      throw error;
    }
  }

  #slot(directory: TreeNode, node: TreeNode): number {
    return this.#tree.children(directory).indexOf(node.id) + this.#fixedEntries(directory).length;
  }

  #fixedEntries(node: TreeNode): DirectoryEntry[] {
    if (node.parent >= 0) {
      const parent = this.#tree.node(node.parent);
      // Both were made when the directory was.
      return [
        { ...this.#entry(node, 0), name: dot },
        { ...this.#entry(parent, 1), name: dotDot, stamp: node.stamp },
      ];
    }
    if (this.#label === '') return [];
    const stamp = node.stamp;
    return [{ id: 0, slot: 0, name: this.#label, attributes: attributes.label, stamp, size: 0, start: 0 }];
  }

  #entry(node: TreeNode, slot: number): DirectoryEntry {
    const { id, name, stamp } = node;
    const size = node.attributes & attributes.directory ? 0 : node.size;
    return { id, slot, name, attributes: node.attributes, stamp, size, start: id };
  }

  #mirrorContent(node: TreeNode): void {
    if (node.key === undefined || node.parent < 0) return;
    this.#source.mirror?.write(node.key, this.#tree.content(node).read(0, node.size));
  }
}
