import type { AddressCapability } from '../../machine/addresses.ts';
import type { Block, Edge, FlowGraph } from '../../machine/graph.ts';
import { count, counted, showPlace } from '../debug/code-place.ts';

/** `#12 1000:0234 read_map, 1,204 runs, variant 2 of 3 (gone)`. */
export function blockTitle(block: Block, addresses: AddressCapability): string {
  const { id, kind, executions, variant } = block;
  const parts = [
    `#${id} ${showPlace(block, addresses)}`,
    kind === 'selector' ? 'selector' : counted(executions, 'run'),
    variant && `variant ${variant.number} of ${variant.of}${variant.live ? '' : ' (gone)'}`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** A block with its instructions and where it goes. */
export function blockText(block: Block, graph: FlowGraph, addresses: AddressCapability): string {
  const lines = block.instructions().map(({ where, text }) => `  ${where} ${text}`);
  const exits = block.edges.map((edge) => edgeText(edge, graph, addresses));
  return [blockTitle(block, addresses), ...lines, `  -> ${exits.join('; ') || 'nowhere yet'}`].join('\n');
}

function edgeText({ type, to, count: taken }: Edge, { blocks }: FlowGraph, addresses: AddressCapability): string {
  const target = blocks.get(to);
  const kind = type === 'normal' ? '' : `${type} `;
  const times = taken === undefined ? '' : ` (${count(taken)})`;
  return `${kind}#${to}${target ? ` ${showPlace(target, addresses)}` : ''}${times}`;
}
