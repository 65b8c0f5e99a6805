import type { AddressCapability } from '../../machine/addresses.ts';
import type { Block, EdgeType, FlowGraph } from '../../machine/graph.ts';
import { TimeSlice, unlessAborted } from '../../machines/shared/time-slice.ts';
import { blockTitle } from './block-text.ts';

const looks: Readonly<Record<EdgeType, string>> = {
  normal: 'color=black',
  call: 'color=blue',
  return: 'color=gray',
  'call-to-return': 'color=blue, style=dashed',
  'misaligned-return': 'color=red',
  fault: 'color=orange',
  selector: 'color=purple, style=dotted',
};

/** The blocks as a graph for Graphviz. What lies outside but is reached from them is drawn dashed, without its code. */
export async function dotLines(
  blocks: readonly Block[],
  graph: FlowGraph,
  addresses: AddressCapability,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const slice = new TimeSlice(unlessAborted(signal));
  const shown = new Set(blocks.map(({ id }) => id));
  const outside = new Map<number, string>();
  const boxes: string[] = [];
  const edges: string[] = [];
  for (const block of blocks) {
    if (slice.isOver) await slice.next();
    const { id, edges: leaving } = block;
    boxes.push(`  b${id} [label=${label(block, addresses)}];`);
    for (const { type, to, count } of leaving) {
      const target = graph.blocks.get(to);
      if (!shown.has(to)) outside.set(to, target?.where ?? `#${to}`);
      const times = count === undefined ? '' : `, label=${quoted(String(count))}`;
      edges.push(`  b${id} -> b${to} [${looks[type]}${times}];`);
    }
  }
  return [
    'digraph flow {',
    '  node [shape=box, fontname="monospace"];',
    ...boxes,
    ...[...outside].map(([id, where]) => `  b${id} [label=${quoted(where)}, style=dashed];`),
    ...edges,
    '}',
  ];
}

/** Graphviz takes \l as the end of a line that is aligned to the left. */
function label(block: Block, addresses: AddressCapability): string {
  const lines = [blockTitle(block, addresses), ...block.instructions().map(({ where, text }) => `${where} ${text}`)];
  return `"${lines.map((line) => `${escaped(line)}\\l`).join('')}"`;
}

function quoted(text: string): string {
  return `"${escaped(text)}"`;
}

function escaped(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').replace(/["\\]/g, '\\$&');
}
