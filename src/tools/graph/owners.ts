import type { CodePlace, KnownFunction } from '../../machine/functions.ts';
import type { Block, FlowGraph } from '../../machine/graph.ts';
import type { Machine } from '../../machine/machine.ts';
import { FunctionBodies } from '../../machines/shared/function-bodies.ts';
import { TimeSlice, unlessAborted } from '../../machines/shared/time-slice.ts';
import { byAddress } from './select-blocks.ts';

/** Says which function an instruction belongs to, by the graph. The most called function wins code that several share. */
export async function functionOwners(
  { functions, graph }: Machine,
  signal: AbortSignal,
): Promise<(place: CodePlace) => KnownFunction | undefined> {
  if (!functions || !graph) return () => undefined;
  const flow = await graph.read();
  const slice = new TimeSlice(unlessAborted(signal));
  const byBlock = await new FunctionBodies(flow, await functions.list()).owners(slice);
  const owners = new Map<string, KnownFunction>();
  for (const block of flow.blocks.values()) {
    if (slice.isOver) await slice.next();
    const owner = byBlock.get(block.id);
    if (owner) for (const { where } of block.instructions()) owners.set(where, owner);
  }
  return ({ where }) => owners.get(where);
}

/** The blocks of the function that begins with these, or that they belong to. */
export async function functionAt(
  { functions }: Machine,
  graph: FlowGraph,
  start: readonly Block[],
  signal: AbortSignal,
): Promise<readonly Block[]> {
  const bodies = new FunctionBodies(graph, (await functions?.list()) ?? []);
  const byBlock = await bodies.owners(new TimeSlice(unlessAborted(signal)));
  const owners = new Set(start.flatMap(({ id }) => byBlock.get(id) ?? []));
  const found = owners.size > 0 ? [...owners].flatMap((owner) => bodies.of(owner)) : bodies.from(start);
  return [...new Set(found)].sort(byAddress);
}
