import { hex } from '../../formats/hex.ts';
import type { CodePlace, KnownFunction } from '../../machine/functions.ts';
import type { EdgeType, FlowGraph } from '../../machine/graph.ts';
import type { NamedPlace } from '../../machine/names.ts';
import type { TimeSlice } from '../../machines/shared/time-slice.ts';

type Segmented = { readonly Segment: number; readonly Offset: number };

const kinds: Readonly<Partial<Record<EdgeType, 'CallsFromTo' | 'JumpsFromTo' | 'RetsFromTo'>>> = {
  call: 'CallsFromTo',
  normal: 'JumpsFromTo',
  return: 'RetsFromTo',
  'misaligned-return': 'RetsFromTo',
};

/** The execution flow as Spice86 dumps it and its Ghidra plugin reads it. Code of protected mode is left out. */
export async function spice86Flow(graph: FlowGraph, slice: TimeSlice): Promise<readonly string[]> {
  const flows = { CallsFromTo: new Map(), JumpsFromTo: new Map(), RetsFromTo: new Map() } satisfies Record<
    string,
    Map<bigint, Map<string, Segmented>>
  >;
  const executed = new Map<string, Segmented>();
  for (const block of graph.blocks.values()) {
    if (slice.isOver) await slice.next();
    for (const instruction of block.instructions()) {
      const place = segmented(instruction);
      if (place) executed.set(instruction.where, place);
    }
    const next = block.address + BigInt(block.bytes);
    for (const { type, to } of block.edges) {
      const target = graph.blocks.get(to);
      const kind = kinds[type];
      const place = target && segmented(target);
      if (!kind || !place || (type === 'normal' && target?.address === next)) continue;
      const from: Map<string, Segmented> = flows[kind].get(block.last.address) ?? new Map();
      flows[kind].set(block.last.address, from.set(target.where, place));
    }
  }
  return [
    '{',
    ...Object.entries(flows).flatMap(([name, rows]) => [`"${name}": {`, ...lines(rows), '},']),
    '"ExecutedInstructions": [',
    ...commas([...executed.values()].map((place) => JSON.stringify(place))),
    '],',
    '"ExecutableAddressWrittenBy": {}',
    '}',
  ];
}

/** Names as its plugin wants them, with segment, offset and linear address at their end. */
export function spice86Symbols(functions: readonly KnownFunction[], places: readonly NamedPlace[]): readonly string[] {
  const names = new Map(places.map(({ address, name }) => [address, name]));
  return functions.flatMap((each) => {
    const place = segmented(each);
    if (!place) return [];
    const name = names.get(each.address) ?? each.name ?? 'unknown';
    const tail = `${hex(place.Segment, 4)}_${hex(place.Offset, 4)}_${hex(each.address)}`;
    return [`${name.replaceAll(/\s/g, '_')}_${tail} 0x${hex(each.address)} f`];
  });
}

function segmented({ address, segment }: CodePlace): Segmented | undefined {
  if (segment === undefined) return undefined;
  const offset = Number(address) - segment * 16;
  return offset >= 0 && offset <= 0xffff ? { Segment: segment, Offset: offset } : undefined;
}

function lines(rows: ReadonlyMap<bigint, ReadonlyMap<string, Segmented>>): readonly string[] {
  return commas([...rows].map(([from, to]) => `"${from}": ${JSON.stringify([...to.values()])}`));
}

function commas(items: readonly string[]): readonly string[] {
  return items.map((item, index) => (index < items.length - 1 ? `${item},` : item));
}
