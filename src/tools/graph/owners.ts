import type { KnownFunction } from '../../machine/functions.ts';
import type { Block } from '../../machine/graph.ts';
import type { Machine } from '../../machine/machine.ts';
import { TimeSlice, unlessAborted } from '../../machine/time-slice.ts';
import { functionBody } from './select-blocks.ts';

interface Owned {
  readonly first: bigint;
  readonly end: bigint;
  readonly owner: KnownFunction;
}

/** Says which function an address belongs to, by the graph. The most called function wins code that several share. */
export async function functionOwners(
  { functions, graph }: Machine,
  signal: AbortSignal,
): Promise<(address: bigint) => KnownFunction | undefined> {
  if (!functions || !graph) return () => undefined;
  const flow = await graph.read();
  const blocks = new Map<number, Owned>();
  const rising = [...(await functions.list())].sort((a, b) => a.calls - b.calls);
  const byAddress = new Map<bigint, Block[]>();
  for (const block of flow.blocks.values()) {
    const same = byAddress.get(block.address);
    if (same) same.push(block);
    else byAddress.set(block.address, [block]);
  }
  const slice = new TimeSlice(unlessAborted(signal));
  for (const owner of rising) {
    if (slice.isOver) await slice.next();
    const entry = byAddress.get(owner.address) ?? [];
    for (const { id, address, bytes } of functionBody(flow, entry)) {
      blocks.set(id, { first: address, end: address + BigInt(bytes), owner });
    }
  }
  const sorted = [...blocks.values()].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  return (address) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.first ?? 0n) <= address) low = middle + 1;
      else high = middle;
    }
    const found = sorted[low - 1];
    return found && address < found.end ? found.owner : undefined;
  };
}
