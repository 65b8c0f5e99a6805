import type { CopyCount, PagedBytes } from './paged-bytes.ts';

/** A file or directory of a tree drive. Plain, so that a snapshot is a copy. */
export interface TreeNode {
  readonly id: number;
  /** -1 once deleted, and for the root. */
  parent: number;
  name: string;
  attributes: number;
  stamp: number;
  size: number;
  /** The source's name for it; undefined for what was made here. */
  key: string | undefined;
  /** Of a directory, once listed: ids by slot, -1 where an entry was deleted. */
  children: number[] | undefined;
  /** Of a file, once opened. */
  content: PagedBytes | undefined;
  /** Changed since it came from the source. */
  written: boolean;
}

/** Everything there is to a tree. */
export interface SavedNodes {
  readonly nodes: readonly TreeNode[];
  /** Numbers of deleted entries, the oldest first. */
  readonly free: readonly number[];
}

/** A copy that shares contents with the original until one of them changes. */
export function copyNodes(nodes: readonly TreeNode[], copied: CopyCount): TreeNode[] {
  return nodes.map((node) => ({ ...node, children: node.children?.slice(), content: node.content?.fork(copied) }));
}

export function newNode(
  id: number,
  parent: number,
  name: string,
  attribute: number,
  stamp: number,
  key: string | undefined,
): TreeNode {
  return {
    id,
    parent,
    name,
    attributes: attribute,
    stamp,
    size: 0,
    key,
    children: undefined,
    content: undefined,
    written: false,
  };
}
