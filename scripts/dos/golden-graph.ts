import { Decoder } from '../../src/chips/x86/decode.ts';
import { Block, type Selector } from '../../src/chips/x86/graph/block.ts';
import type { Instruction } from '../../src/chips/x86/instruction.ts';
import type { X86 } from '../../src/chips/x86/x86.ts';

/** Instructions as `address bytes` (`__` for operands read from memory) and the ways between them: no names, no cuts. */
interface Flow {
  readonly nodes: Set<string>;
  readonly edges: Set<string>;
}

interface GoldenBlock {
  readonly id: number;
  readonly entry: string;
  readonly term: string;
  readonly dead?: boolean;
  readonly succ: readonly number[];
  readonly asm: readonly string[];
}

/**
 * Empty when the processor's graph is the executed part of a golden one; else what differs first. Golden graphs show
 * ways that were never taken too: `taken` has those that were, as `F000:0000 -> F000:0003`.
 */
export function compareGraph(
  cpu: X86,
  golden: { readonly blocks: readonly GoldenBlock[] },
  taken: ReadonlySet<string>,
): string {
  const ours = executedFlow(cpu);
  const theirs = goldenFlow(golden.blocks, taken);
  for (const edge of missing(theirs.edges, ours.edges)) if (isGuess(edge, taken)) theirs.edges.delete(edge);
  const differences = [
    ...missing(theirs.nodes, ours.nodes).map((node) => `not ours: ${node}`),
    ...missing(ours.nodes, theirs.nodes).map((node) => `only ours: ${node}`),
    ...missing(theirs.edges, ours.edges).map((edge) => `not ours: ${edge}`),
    ...missing(ours.edges, theirs.edges).map((edge) => `only ours: ${edge}`),
  ];
  if (differences.length === 0) return '';
  return `${differences.length} differences: ${differences.slice(0, 3).join('; ')}`;
}

function missing(wanted: ReadonlySet<string>, there: ReadonlySet<string>): string[] {
  return [...wanted].filter((each) => !there.has(each)).sort();
}

/** True for a way that a conditional jump could take and never took. */
function isGuess(edge: string, taken: ReadonlySet<string>): boolean {
  const [from = '', bytes = '', , to = ''] = edge.split(' ');
  const [cs = 0, ip = 0] = from.split(':').map((part) => Number.parseInt(part, 16));
  if (taken.has(`${from} -> ${to}`)) return false;
  const code =
    bytes
      .replace(/__/g, '00')
      .match(/../g)
      ?.map((byte) => Number.parseInt(byte, 16)) ?? [];
  const node = new Decoder('80386', (linear) => code[linear - (cs << 4) - ip] ?? 0).decode(cs, ip);
  const { mnemonic } = node.form;
  const branches = mnemonic !== 'call' && mnemonic !== 'jmp' && node.operands.some(({ kind }) => kind === 'target');
  return branches && (to === segmented(cs, node.next & 0xffff) || to === segmented(cs, node.target));
}

function executedFlow(cpu: X86): Flow {
  const { graph } = cpu;
  const nodes = new Set<string>();
  const edges = new Set<string>();
  const enter = (place: Block | Selector) => (place instanceof Block ? label(place.first) : selectorLabel(place));
  for (const block of graph.blocks) {
    const ran = block.nodes.filter((node) => graph.executions(node) > 0);
    ran.forEach((node, index) => {
      nodes.add(label(node));
      const next = ran[index + 1];
      if (next) edges.add(`${label(node)} -> ${label(next)}`);
    });
    for (const { to, count } of block.out) if (count > 0) edges.add(`${label(block.last)} -> ${enter(to)}`);
  }
  for (const selector of graph.selectors) {
    nodes.add(selectorLabel(selector));
    for (const { to, count } of selector.out) if (count > 0) edges.add(`${selectorLabel(selector)} -> ${enter(to)}`);
  }
  return { nodes, edges };
}

function label(node: Instruction): string {
  const bytes = [...node.bytes].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'));
  for (const { offset, size } of node.wild) bytes.fill('__', offset, offset + size);
  return `${segmented(node.cs, node.ip)} ${bytes.join('')}`;
}

function selectorLabel({ key }: Selector): string {
  return `${segmented(key >>> 16, key & 0xffff)} selector`;
}

/** Without what was never executed: blocks marked dead that are no variant behind a selector, where no run came. */
function goldenFlow(blocks: readonly GoldenBlock[], taken: ReadonlySet<string>): Flow {
  const visited = new Set([...taken].map((way) => way.split(' ').at(-1)));
  const listed = blocks.map((block) => ({ ...block, labels: goldenLabels(block) }));
  const byId = new Map(listed.map((block) => [block.id, block]));
  const behindSelector = new Set(listed.filter(({ asm }) => asm.at(-1) === 'selector').flatMap(({ succ }) => succ));
  const nodes = new Set<string>();
  const edges = new Set<string>();
  const speculative = (node: string, block: GoldenBlock) =>
    block.dead === true && !behindSelector.has(block.id) && !visited.has(node.split(' ')[0]);
  for (const block of listed) {
    const ran = block.labels.filter((node) => !speculative(node, block));
    ran.forEach((node, index) => {
      nodes.add(node);
      const next = ran[index + 1];
      if (next) edges.add(`${node} -> ${next}`);
    });
    const last = block.labels.at(-1) ?? '';
    if (ran.at(-1) !== last) continue;
    for (const id of block.succ) {
      const to = byId.get(id);
      const first = to?.labels[0];
      if (to && first !== undefined && !speculative(first, to)) edges.add(`${last} -> ${first}`);
    }
  }
  return { nodes, edges };
}

function goldenLabels({ entry, asm }: GoldenBlock): string[] {
  const [cs = 0, start = 0] = entry.split(':').map((part) => Number.parseInt(part, 16));
  let ip = start;
  return asm.map((line) => {
    const [bytes = ''] = line.split('|');
    const at = segmented(cs, ip & 0xffff);
    if (bytes !== 'selector') ip += bytes.length / 2;
    return `${at} ${bytes}`;
  });
}

export function segmented(cs: number, ip: number): string {
  return [cs, ip].map((part) => part.toString(16).toUpperCase().padStart(4, '0')).join(':');
}
