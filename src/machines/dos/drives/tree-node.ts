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
  /** Of a file, once opened: at least `size` bytes. */
  content: Uint8Array | undefined;
  /** The content is also part of a snapshot and must be copied before it is changed. */
  shared: boolean;
  /** Changed since it came from the source. */
  written: boolean;
}

export interface SavedTree {
  readonly nodes: readonly TreeNode[];
  readonly label: string;
}

/** A copy in which contents are shared with the original; both must copy them before a change. */
export function copyNodes(nodes: readonly TreeNode[]): TreeNode[] {
  return nodes.map((node) => {
    if (node.content !== undefined) node.shared = true;
    return { ...node, children: node.children?.slice() };
  });
}

/** Room for `size` bytes that may be changed. */
export function ownContent(node: TreeNode, size: number): Uint8Array {
  const content = node.content ?? new Uint8Array(0);
  if (!node.shared && content.length >= size) return content;
  const grown = new Uint8Array(content.length >= size ? content.length : Math.max(size, content.length * 2, 512));
  grown.set(content);
  node.content = grown;
  node.shared = false;
  return grown;
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
    shared: false,
    written: false,
  };
}
