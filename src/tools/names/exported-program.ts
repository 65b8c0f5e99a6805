import type { KnownFunction } from '../../machine/functions.ts';
import type { Block, DataReference, FlowGraph } from '../../machine/graph.ts';
import type { NamedPlace, NamedProgram } from '../../machine/names.ts';
import { FunctionBodies } from '../../machines/shared/function-bodies.ts';
import type { TimeSlice } from '../../machines/shared/time-slice.ts';
import { functionName } from './symbol-lines.ts';

/** How a function returns: what a disassembler has to know to follow its stack. */
export type ReturnKind = 'near' | 'far' | 'interrupt' | 'unknown';

export interface ExportedFunction {
  readonly address: bigint;
  readonly name: string;
  readonly returns: ReturnKind;
}

export interface Flow {
  readonly from: bigint;
  readonly to: bigint;
}

/** Everything that is known of a program, at the addresses that the other side uses. */
export interface ExportedProgram {
  readonly title: string;
  readonly functions: readonly ExportedFunction[];
  readonly labels: readonly { readonly address: bigint; readonly name: string }[];
  readonly comments: readonly { readonly address: bigint; readonly text: string }[];
  /** Where instructions begin. */
  readonly code: readonly bigint[];
  readonly calls: readonly Flow[];
  readonly jumps: readonly Flow[];
  readonly data: readonly (Flow & { readonly access: DataReference['access'] })[];
  readonly texts: readonly { readonly address: bigint; readonly length: number }[];
}

export interface Known {
  readonly program: NamedProgram | undefined;
  readonly places: readonly NamedPlace[];
  readonly functions: readonly KnownFunction[];
  readonly graph: FlowGraph;
  readonly references: readonly DataReference[];
  readonly texts: readonly { readonly address: bigint; readonly length: number; readonly text: string }[];
}

/** `base`: where the other side has the first byte of the program; what lies outside it is left out then. */
export async function exportedProgram(
  { program, places, functions, graph, references, texts }: Known,
  base: bigint | undefined,
  slice: TimeSlice,
): Promise<ExportedProgram> {
  const move = addressMover(program, base);
  const known = new Map(functions.map((each) => [each.address, each]));
  const moved = <Item extends { readonly address: bigint }>(items: readonly Item[]) =>
    items.flatMap((item) => {
      const address = move(item.address);
      return address === undefined ? [] : [{ ...item, address }];
    });
  return {
    title: program?.name ?? 'memory',
    functions: moved(await functionsOf(functions, places, graph, slice)),
    labels: moved(places.flatMap(({ address, name }) => (name && !known.has(address) ? [{ address, name }] : []))),
    comments: moved(places.flatMap(({ address, comment }) => (comment ? [{ address, text: comment }] : []))),
    code: moved(await codeOf(graph, slice)).map(({ address }) => address),
    ...(await flowsOf(graph, move, slice)),
    data: references.flatMap(({ instruction, target, access }) => {
      const [from, to] = [move(instruction.address), move(target)];
      return from === undefined || to === undefined ? [] : [{ from, to, access }];
    }),
    texts: moved(texts),
  };
}

/** From the machine's addresses to those of another tool; undefined for what it does not have. */
export function addressMover(
  program: NamedProgram | undefined,
  base: bigint | undefined,
): (address: bigint) => bigint | undefined {
  if (base === undefined || program === undefined) return (address) => address;
  const first = program.image ?? program.first;
  return (address) => (address >= first && address <= program.last ? address - first + base : undefined);
}

async function functionsOf(
  functions: readonly KnownFunction[],
  places: readonly NamedPlace[],
  graph: FlowGraph,
  slice: TimeSlice,
): Promise<readonly ExportedFunction[]> {
  const bodies = new FunctionBodies(graph, functions);
  const names = new Map(places.map(({ address, name }) => [address, name]));
  const found = new Map<bigint, ExportedFunction>();
  for (const each of functions) {
    if (slice.isOver) await slice.next();
    if (found.has(each.address)) continue;
    const name = names.get(each.address) ?? functionName(each);
    found.set(each.address, { address: each.address, name, returns: returnsOf(bodies.of(each)) });
  }
  return [...found.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
}

function returnsOf(blocks: readonly Block[]): ReturnKind {
  for (const block of blocks) {
    if (!block.edges.some(({ type }) => type === 'return' || type === 'misaligned-return')) continue;
    const text = block.instructions().at(-1)?.text ?? '';
    if (/^iret/.test(text)) return 'interrupt';
    if (/^retf/.test(text)) return 'far';
    if (/^ret/.test(text)) return 'near';
  }
  return 'unknown';
}

async function codeOf(graph: FlowGraph, slice: TimeSlice): Promise<readonly { readonly address: bigint }[]> {
  const found = new Set<bigint>();
  for (const block of graph.blocks.values()) {
    if (slice.isOver) await slice.next();
    for (const { address } of block.instructions()) found.add(address);
  }
  return [...found].sort((a, b) => (a < b ? -1 : 1)).map((address) => ({ address }));
}

async function flowsOf(graph: FlowGraph, move: (address: bigint) => bigint | undefined, slice: TimeSlice) {
  const calls = new Map<string, Flow>();
  const jumps = new Map<string, Flow>();
  for (const block of graph.blocks.values()) {
    if (slice.isOver) await slice.next();
    const next = block.address + BigInt(block.bytes);
    for (const { type, to: id } of block.edges) {
      const target = graph.blocks.get(id);
      const isJump = type === 'normal' && target?.address !== next;
      if (!target || (type !== 'call' && !isJump)) continue;
      const [from, to] = [move(block.last.address), move(target.address)];
      if (from === undefined || to === undefined) continue;
      (type === 'call' ? calls : jumps).set(`${from} ${to}`, { from, to });
    }
  }
  return { calls: [...calls.values()], jumps: [...jumps.values()] };
}
