import type { KnownFunction } from '../../machine/functions.ts';
import type { Machine } from '../../machine/machine.ts';
import { blocksAt, functionBody } from './select-blocks.ts';

interface Owned {
  readonly first: bigint;
  readonly end: bigint;
  readonly owner: KnownFunction;
}

/** Says which function an address belongs to, by the graph. The most called function wins code that several share. */
export async function functionOwners({
  functions,
  graph,
}: Machine): Promise<(address: bigint) => KnownFunction | undefined> {
  if (!functions || !graph) return () => undefined;
  const flow = await graph.read();
  const blocks = new Map<number, Owned>();
  const rising = [...(await functions.list())].sort((a, b) => a.calls - b.calls);
  for (const owner of rising) {
    const entry = blocksAt(flow, owner.address).filter(({ address }) => address === owner.address);
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
