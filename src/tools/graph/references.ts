import type { AddressCapability } from '../../machine/addresses.ts';
import type { CodePlace } from '../../machine/functions.ts';
import type { DataReference, FlowGraph, GraphCapability } from '../../machine/graph.ts';
import { TimeSlice, unlessAborted } from '../../machines/shared/time-slice.ts';
import { count, showPlace } from '../debug/code-place.ts';
import { showAddress } from '../debug/show.ts';
import { blocksAt, incoming } from './select-blocks.ts';

/** From one place to another, through code or data. */
export interface CrossReference {
  /** `call`, `normal` …, or `read` and `write`. */
  readonly type: string;
  readonly direction: 'to' | 'from';
  /** The other end. */
  readonly place: CodePlace;
  /** The instruction that refers, where the other end is one. */
  readonly text?: string | undefined;
  readonly count?: number | undefined;
}

/** Everything known to lead to the address, and what the instruction there leads to. */
export async function crossReferences(
  capability: GraphCapability,
  graph: FlowGraph,
  address: bigint,
  { format }: AddressCapability,
  signal: AbortSignal,
): Promise<readonly CrossReference[]> {
  const before = incoming(graph);
  const blocks = blocksAt(graph, address);
  const slice = new TimeSlice(unlessAborted(signal));
  const to: CrossReference[] = [];
  for (const block of blocks.filter((each) => each.address === address)) {
    for (const { from, type, count } of before.get(block.id) ?? []) {
      if (slice.isOver) await slice.next();
      const last = from.instructions().at(-1);
      to.push({ type, direction: 'to', place: last ?? from, text: last?.text, count });
    }
  }
  const from = blocks
    .filter((block) => block.kind === 'selector' || block.instructions().at(-1)?.address === address)
    .flatMap(({ edges }) => edges)
    .flatMap(({ type, to, count }): CrossReference[] => {
      const target = graph.blocks.get(to);
      return target ? [{ type, direction: 'from', place: target, count }] : [];
    });
  const data = (await capability.dataReferences?.(address)) ?? [];
  return [...to, ...from, ...data.map((reference) => dataReference(reference, address, format))];
}

function dataReference(
  { instruction, access, target }: DataReference,
  address: bigint,
  format: AddressCapability['format'],
): CrossReference {
  return instruction.address === address
    ? { type: access, direction: 'from', place: { address: target, where: format(target) } }
    : { type: access, direction: 'to', place: instruction };
}

export function showReference(reference: CrossReference, addresses: AddressCapability): string {
  const { type, direction, place, text, count: taken } = reference;
  const other = text === undefined ? showPlace(place, addresses) : `${showPlace(place, addresses)} ${text}`;
  const times = taken === undefined ? '' : ` (${count(taken)})`;
  return direction === 'to' ? `${type} from ${other}${times}` : `${type} to ${other}${times}`;
}

/** Title of a list of references. */
export function referencesOf(address: bigint, addresses: AddressCapability): string {
  return `references of ${showAddress(address, addresses)}`;
}
