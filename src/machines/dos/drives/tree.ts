import type { TimeSlice } from '../../shared/time-slice.ts';
import { DosError } from './dos-error.ts';
import { attributes, type DrivePath } from './drive.ts';
import { type ByteSource, bytesInMemory, type CopyCount, PagedBytes } from './paged-bytes.ts';
import { copyNodes, newNode, type SavedNodes, type TreeNode } from './tree-node.ts';
import type { TreeSource } from './tree-source.ts';

/** Larger files are read in parts as far as they are used. */
const readWhole = 1024 * 1024;
/** Files and directories, the deleted ones included that may still be open. */
const mostNodes = 32_768;
/** Numbers of deleted files are not given again before so many others were deleted. */
const restingNumbers = 1024;

/** Files and directories by number, filled from their source as they are first looked at. */
export class Tree {
  readonly #source: TreeSource;
  readonly #clusterBytes: number;
  #nodes: TreeNode[];
  #usedBytes = 0;
  /** Numbers of deleted entries, the oldest first. */
  #free: number[] = [];
  /** As it is now, if it was saved and nothing has changed since. */
  #saved: SavedNodes | undefined;
  readonly #copied: CopyCount = { bytes: 0 };

  constructor(source: TreeSource, clusterBytes: number) {
    this.#source = source;
    this.#clusterBytes = clusterBytes;
    this.#nodes = [newNode(0, -1, '', attributes.directory, 0, source.rootKey)];
  }

  /** Of everything that was written here, in whole clusters. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** What contents have taken so far, given back or not. */
  get copiedBytes(): number {
    return this.#copied.bytes;
  }

  /** Files that were written here and nowhere else. */
  get unsaved(): readonly string[] {
    if (this.#source.mirror) return [];
    const isLost = ({ parent, written, attributes: bits }: TreeNode) =>
      written && parent >= 0 && !(bits & attributes.directory);
    return this.#nodes.filter((node) => node !== undefined && isLost(node)).map(({ name }) => name);
  }

  get root(): TreeNode {
    return this.node(0);
  }

  node(id: number): TreeNode {
    const node = this.#nodes[id];
    if (node === undefined) throw new DosError('invalidHandle');
    return node;
  }

  file(id: number): TreeNode {
    const node = this.node(id);
    if (node.attributes & attributes.directory) throw new DosError('accessDenied');
    return node;
  }

  directory(path: DrivePath): TreeNode {
    let node = this.root;
    for (const name of path) {
      const child = this.child(node, name);
      if (child === undefined || !(child.attributes & attributes.directory)) throw new DosError('pathNotFound');
      node = child;
    }
    return node;
  }

  child(directory: TreeNode, name: string): TreeNode | undefined {
    for (const id of this.children(directory)) {
      const node = id < 0 ? undefined : this.#nodes[id];
      if (node?.name === name) return node;
    }
    return undefined;
  }

  /** The entry that the source knows by this name, which may be longer than the drive's. */
  childFrom(directory: TreeNode, sourceName: string): TreeNode | undefined {
    for (const id of this.children(directory)) {
      const node = id < 0 ? undefined : this.#nodes[id];
      if (node?.key !== undefined && lastPart(node.key) === sourceName) return node;
    }
    return undefined;
  }

  children(node: TreeNode): number[] {
    if (!(node.attributes & attributes.directory)) throw new DosError('pathNotFound');
    if (node.children !== undefined) return node.children;
    const children: number[] = [];
    node.children = children;
    for (const entry of this.#source.list(node.key ?? '')) {
      const number = this.#number();
      if (number === undefined) break;
      const child = newNode(number, node.id, entry.name, entry.attributes, entry.stamp, entry.key);
      child.size = entry.size;
      this.#put(child);
      children.push(child.id);
    }
    return children;
  }

  content(node: TreeNode): PagedBytes {
    if (node.content === undefined) {
      const { key, size } = node;
      const part = this.#source.readPart?.bind(this.#source);
      if (key !== undefined && part && size > readWhole) {
        node.content = this.#paged({ length: size, read: (position, length) => part(key, position, length) });
      } else {
        const bytes = key === undefined ? new Uint8Array() : this.#source.read(key);
        node.content = this.#paged(bytesInMemory(bytes));
        node.size = bytes.length;
      }
    }
    return node.content;
  }

  /** Content that is about to be changed: what is written through must not depend on the file that it is written to. */
  changing(node: TreeNode): PagedBytes {
    const content = this.content(node);
    if (this.#source.mirror === undefined || node.written || node.size <= readWhole) return content;
    node.content = this.#paged(bytesInMemory(content.read(0, node.size)));
    return node.content;
  }

  /** From now on the file has nothing in it. */
  empty(node: TreeNode): void {
    node.content = this.#paged(bytesInMemory(new Uint8Array()));
    this.setSize(node, 0);
  }

  /** Something has changed that the others do not know of. */
  touch(): void {
    this.#saved = undefined;
  }

  add(directory: TreeNode, name: string, attribute: number, stamp: number): TreeNode {
    const { mirror } = this.#source;
    const key = mirror && directory.key !== undefined ? mirror.child(directory.key, name) : undefined;
    const number = this.#number();
    if (number === undefined) throw new DosError('diskFull', `a drive has at most ${mostNodes} files`);
    const node = newNode(number, directory.id, name, attribute, stamp, key);
    node.written = true;
    this.#put(node);
    this.attach(directory, node);
    return node;
  }

  /** Into the first slot that is free. */
  attach(directory: TreeNode, node: TreeNode): void {
    const children = this.children(directory);
    const hole = children.indexOf(-1);
    if (hole < 0) children.push(node.id);
    else children[hole] = node.id;
    node.parent = directory.id;
    this.#usedBytes += this.#occupied(node);
    this.#saved = undefined;
  }

  detach(directory: TreeNode, node: TreeNode): void {
    const children = this.children(directory);
    children[children.indexOf(node.id)] = -1;
    node.parent = -1;
    this.#usedBytes -= this.#occupied(node);
    this.#saved = undefined;
  }

  /** The entry is gone for good. */
  forget(node: TreeNode): void {
    this.#free.push(node.id);
  }

  /** From now on the node's content is this drive's own, and of this size. */
  setSize(node: TreeNode, size: number): void {
    if (node.parent >= 0) this.#usedBytes -= this.#occupied(node);
    node.size = size;
    node.written = true;
    if (node.parent >= 0) this.#usedBytes += this.#occupied(node);
    this.#saved = undefined;
  }

  /** What lies below a directory that got another key. */
  rekey(node: TreeNode, from: string, to: string): void {
    for (const id of node.children ?? []) {
      const child = id < 0 ? undefined : this.#nodes[id];
      if (child?.key === undefined) continue;
      this.move(child, to + child.key.slice(from.length));
      this.rekey(child, from, to);
    }
  }

  /** The source knows the entry by another key now. */
  move(node: TreeNode, key: string): void {
    node.key = key;
    if (!node.written) node.content = undefined;
    this.#saved = undefined;
  }

  save(): SavedNodes {
    this.#saved ??= { nodes: copyNodes(this.#nodes, this.#copied), free: [...this.#free] };
    return this.#saved;
  }

  restore({ nodes, free }: SavedNodes): void {
    this.#nodes = copyNodes(nodes, this.#copied);
    this.#free = [...free];
    this.#saved = undefined;
    this.#usedBytes = 0;
    for (const node of this.#nodes) if (node.parent >= 0) this.#usedBytes += this.#occupied(node);
  }

  /**
   * Everything, whatever becomes of the source: directories are listed and files read. `room` is asked before a file is
   * read, and throws where they are more than can be kept.
   */
  async whole(slice: TimeSlice, room: (size: number) => void): Promise<SavedNodes> {
    // Listing a directory adds entries.
    for (let id = 0; id < this.#nodes.length; id++) {
      const node = this.node(id);
      const isGone = id !== 0 && node.parent < 0;
      if (isGone && node.content === undefined) node.children ??= [];
      else if (node.attributes & attributes.directory) this.children(node);
      else {
        room(node.size);
        this.content(node);
      }
      if (slice.isOver) await slice.next();
    }
    const { nodes, free } = this.save();
    return { nodes: nodes.map((node) => ({ ...node, key: undefined })), free };
  }

  /** For a new entry; undefined when there are too many. */
  #number(): number | undefined {
    if (this.#free.length > restingNumbers) return this.#free.shift();
    return this.#nodes.length < mostNodes ? this.#nodes.length : undefined;
  }

  #put(node: TreeNode): void {
    this.#nodes[node.id] = node;
    this.#saved = undefined;
  }

  #paged(source: ByteSource): PagedBytes {
    return new PagedBytes(source, this.#copied);
  }

  #occupied({ written, size }: TreeNode): number {
    return written ? Math.ceil(size / this.#clusterBytes) * this.#clusterBytes : 0;
  }
}

/** Sources name things by paths; those of directories may end with a separator. */
function lastPart(key: string): string {
  return /([^\\/]*)[\\/]?$/.exec(key)?.[1] ?? '';
}
