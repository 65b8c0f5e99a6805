import { DosError } from './dos-error.ts';
import { attributes, type DrivePath } from './drive.ts';
import { copyNodes, newNode, type TreeNode } from './tree-node.ts';
import type { TreeSource } from './tree-source.ts';

/** Files and directories by number, filled from their source as they are first looked at. */
export class Tree {
  readonly #source: TreeSource;
  readonly #clusterBytes: number;
  #nodes: TreeNode[];
  #usedBytes = 0;

  constructor(source: TreeSource, clusterBytes: number) {
    this.#source = source;
    this.#clusterBytes = clusterBytes;
    this.#nodes = [newNode(0, -1, '', attributes.directory, 0, source.rootKey)];
  }

  /** Of everything that was written here, in whole clusters. */
  get usedBytes(): number {
    return this.#usedBytes;
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
      const child = newNode(this.#nodes.length, node.id, entry.name, entry.attributes, entry.stamp, entry.key);
      child.size = entry.size;
      this.#nodes.push(child);
      children.push(child.id);
    }
    return children;
  }

  content(node: TreeNode): Uint8Array {
    if (node.content === undefined) {
      node.content = node.key === undefined ? new Uint8Array(0) : this.#source.read(node.key);
      node.size = node.content.length;
    }
    return node.content;
  }

  add(directory: TreeNode, name: string, attribute: number, stamp: number): TreeNode {
    const { mirror } = this.#source;
    const key = mirror && directory.key !== undefined ? mirror.child(directory.key, name) : undefined;
    const node = newNode(this.#nodes.length, directory.id, name, attribute, stamp, key);
    node.written = true;
    this.#nodes.push(node);
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
  }

  detach(directory: TreeNode, node: TreeNode): void {
    const children = this.children(directory);
    children[children.indexOf(node.id)] = -1;
    node.parent = -1;
    this.#usedBytes -= this.#occupied(node);
  }

  /** From now on the node's content is this drive's own, and of this size. */
  setSize(node: TreeNode, size: number): void {
    if (node.parent >= 0) this.#usedBytes -= this.#occupied(node);
    node.size = size;
    node.written = true;
    if (node.parent >= 0) this.#usedBytes += this.#occupied(node);
  }

  /** What lies below a directory that got another key. */
  rekey(node: TreeNode, from: string, to: string): void {
    for (const id of node.children ?? []) {
      const child = id < 0 ? undefined : this.#nodes[id];
      if (child?.key === undefined) continue;
      child.key = to + child.key.slice(from.length);
      this.rekey(child, from, to);
    }
  }

  save(): TreeNode[] {
    return copyNodes(this.#nodes);
  }

  restore(nodes: readonly TreeNode[]): void {
    this.#nodes = copyNodes(nodes);
    this.#usedBytes = 0;
    for (const node of this.#nodes) if (node.parent >= 0) this.#usedBytes += this.#occupied(node);
  }

  #occupied({ written, size }: TreeNode): number {
    return written ? Math.ceil(size / this.#clusterBytes) * this.#clusterBytes : 0;
  }
}

/** Sources name things by paths; those of directories may end with a separator. */
function lastPart(key: string): string {
  return /([^\\/]*)[\\/]?$/.exec(key)?.[1] ?? '';
}
