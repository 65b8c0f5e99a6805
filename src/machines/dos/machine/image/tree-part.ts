import { z } from 'zod';
import { parseModestJson } from '../../../../formats/modest-json.ts';
import type { TimeSlice } from '../../../shared/time-slice.ts';
import { attributes } from '../../drives/drive.ts';
import { bytesInMemory, PagedBytes } from '../../drives/paged-bytes.ts';
import type { SavedNodes, TreeNode } from '../../drives/tree-node.ts';

/** A tree as two parts of a snapshot: a line of JSON for each node, and the contents that are stored, one after the other. */
export interface PackedTree {
  readonly nodes: Uint8Array;
  readonly files: Uint8Array;
}

const mostNodes = 32_768;
const mostBytesAtOnce = 1024 * 1024;
/** A directory with all the entries that there can be takes less. */
const longestLine = 512 * 1024;
/** Lines are read one by one: a list of many would take far more than their bytes. */
const newline = 10;

const nodeShape = z.strictObject({
  parent: z.number().int().min(-1).max(mostNodes),
  name: z.string().max(11),
  attributes: z.number().int().min(0).max(255),
  stamp: z.number().int().min(0).max(0xffff_ffff),
  size: z.number().int().min(0).max(0xffff_ffff),
  key: z.string().max(4096).exactOptional(),
  children: z.array(z.number().int().min(-1).max(mostNodes)).max(mostNodes).exactOptional(),
  written: z.boolean(),
  /** Its content is among the files, `size` bytes of it. */
  stored: z.boolean(),
});

/** Contents that came from the source and were not changed stay there. */
const isStored = ({ content, written, key }: TreeNode) => content !== undefined && (written || key === undefined);

export async function packTree({ nodes, free }: SavedNodes, slice: TimeSlice): Promise<PackedTree> {
  const lines: string[] = [];
  const total = nodes.reduce((sum, node) => sum + (isStored(node) ? node.size : 0), 0);
  const files = new Uint8Array(total);
  let at = 0;
  for (const node of nodes) {
    const { parent, name, attributes: bits, stamp, size, key, children, content, written } = node;
    const stored = isStored(node);
    const rest = { written, stored, ...(key !== undefined && { key }), ...(children && { children }) };
    lines.push(JSON.stringify({ parent, name, attributes: bits, stamp, size, ...rest }));
    for (let from = 0; stored && from < size; from += mostBytesAtOnce) {
      const length = Math.min(mostBytesAtOnce, size - from);
      files.set(content?.read(from, length) ?? [], at);
      at += length;
      if (slice.isOver) await slice.next();
    }
    if (slice.isOver) await slice.next();
  }
  return { nodes: new TextEncoder().encode(`${lines.join('\n')}\n${JSON.stringify(free)}`), files };
}

/** What is wrong with it is the error that is thrown. */
export async function unpackTree({ nodes: packed, files }: PackedTree, slice: TimeSlice): Promise<SavedNodes> {
  const end = packed.lastIndexOf(newline);
  const free = z
    .array(z.number().int().min(0).max(mostNodes))
    .max(mostNodes)
    .parse(lineOf(packed, end + 1));
  const nodes: TreeNode[] = [];
  let at = 0;
  for (let from = 0, to = 0; from <= end; from = to + 1) {
    to = packed.indexOf(newline, from);
    if (nodes.length >= mostNodes) throw new Error(`a drive has at most ${mostNodes} entries`);
    const { stored, key, children, ...node } = nodeShape.parse(lineOf(packed, from, to));
    if (stored && at + node.size > files.length) throw new Error('contents are missing');
    const content = stored
      ? new PagedBytes(bytesInMemory(files.subarray(at, at + node.size)), { bytes: 0 })
      : undefined;
    if (stored) at += node.size;
    nodes.push({ id: nodes.length, ...node, key, children, content });
    if (slice.isOver) await slice.next();
  }
  refuseOtherThanTree(nodes);
  if (free.some((id) => id >= nodes.length)) throw new Error('an entry is free that is not there');
  return { nodes, free };
}

function lineOf(packed: Uint8Array, from: number, to = packed.length): unknown {
  if (to - from > longestLine) throw new Error(`an entry of ${to - from} bytes`);
  return parseModestJson(new TextDecoder('utf-8', { fatal: true }).decode(packed.subarray(from, to)));
}

/** Every entry is one of the directory that it names as its own, and every way up ends at the root. */
function refuseOtherThanTree(nodes: readonly TreeNode[]): void {
  const isDirectory = (id: number) => ((nodes[id]?.attributes ?? 0) & attributes.directory) !== 0;
  if (!isDirectory(0) || nodes[0]?.parent !== -1) throw new Error('there is no root');
  for (const { id, parent, children } of nodes) {
    if (parent >= 0 && !isDirectory(parent)) throw new Error(`${id} is in no directory`);
    if (children && !isDirectory(id)) throw new Error(`${id} is not a directory`);
    if (children?.some((child) => child >= 0 && nodes[child]?.parent !== id)) throw new Error(`${id} is not a tree`);
  }
  const reachesRoot = new Set([0, -1]);
  for (const { id } of nodes) {
    const way: number[] = [];
    for (let here = id; !reachesRoot.has(here); here = nodes[here]?.parent ?? -1) {
      if (way.length > nodes.length) throw new Error(`${id} is its own parent`);
      way.push(here);
    }
    for (const each of way) reachesRoot.add(each);
  }
}
