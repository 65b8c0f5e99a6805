import { FunctionBodies } from '../../machine/function-bodies.ts';
import type { CodePlace, KnownFunction } from '../../machine/functions.ts';
import type { Block, FlowGraph } from '../../machine/graph.ts';
import type { Machine } from '../../machine/machine.ts';
import { byAddress } from './select-blocks.ts';

/** Says which function an instruction belongs to, by the graph. */
export async function functionOwners({
  functions,
  graph,
}: Machine): Promise<(place: CodePlace) => KnownFunction | undefined> {
  if (!functions || !graph) return () => undefined;
  const flow = await graph.read();
  const bodies = new FunctionBodies(flow, await functions.list());
  const owners = new Map<string, KnownFunction>();
  for (const block of flow.blocks.values()) {
    const owner = mostCalled(bodies.owners(block));
    if (owner) for (const { where } of block.instructions()) owners.set(where, owner);
  }
  return ({ where }) => owners.get(where);
}

/** The blocks of the function that begins with these, or that they belong to. */
export async function functionAt(
  { functions }: Machine,
  graph: FlowGraph,
  start: readonly Block[],
): Promise<readonly Block[]> {
  const bodies = new FunctionBodies(graph, (await functions?.list()) ?? []);
  const owners = new Set(start.flatMap((block) => mostCalled(bodies.owners(block)) ?? []));
  const found = owners.size > 0 ? [...owners].flatMap((owner) => bodies.of(owner)) : bodies.from(start);
  return [...new Set(found)].sort(byAddress);
}

/** Wins code that several share. */
function mostCalled(owners: readonly KnownFunction[]): KnownFunction | undefined {
  return owners.reduce<KnownFunction | undefined>(
    (most, each) => (most && most.calls >= each.calls ? most : each),
    undefined,
  );
}
