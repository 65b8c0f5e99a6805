import { Block, type Edge as ChipEdge, type Selector } from '../../../chips/x86/graph/block.ts';
import type { CodeGraph } from '../../../chips/x86/graph/code-graph.ts';
import { isInMemory } from '../../../chips/x86/graph/code-map.ts';
import type { Instruction } from '../../../chips/x86/instruction.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';
import type {
  BlockVariant,
  DataReference,
  Edge,
  EdgeType,
  FlowGraph,
  GraphCapability,
  Block as ListedBlock,
} from '../../../machine/graph.ts';
import { codeText } from './code-text.ts';
import { codePlace, placeOfKey } from './dos-addresses.ts';

type Node = Block | Selector;

/** The processor's own graph, its executed part, for tools. */
export class DosGraph implements GraphCapability {
  readonly #cpu: X86;
  readonly #symbols: SymbolTable;
  readonly #recorded: Required<Pick<GraphCapability, 'dataReferences'>> | undefined;
  readonly #ids = new WeakMap<Node, number>();
  #nextId = 1;

  /** `recorded` knows who read and wrote an address. */
  constructor(cpu: X86, symbols: SymbolTable, recorded?: Required<Pick<GraphCapability, 'dataReferences'>>) {
    this.#cpu = cpu;
    this.#symbols = symbols;
    this.#recorded = recorded;
  }

  async dataReferences(address: bigint): Promise<readonly DataReference[]> {
    return this.#recorded?.dataReferences(address) ?? [];
  }

  async read(): Promise<FlowGraph> {
    const { graph, contexts } = this.#cpu;
    const blocks = new Map<number, ListedBlock>();
    for (const node of [...graph.blocks, ...graph.selectors]) {
      const listed = this.#listed(node, graph);
      if (listed) blocks.set(listed.id, listed);
    }
    const entered = [...graph.blocks, ...graph.selectors].filter(({ entries }) => entries > 0);
    const keys = new Set(entered.map(({ key }) => key));
    const here = codePlace(this.#cpu.get('cs'), this.#cpu.get('ip'));
    const current = contexts.at(-1);
    return {
      blocks,
      entryPoints: [...keys].map(placeOfKey),
      context: { depth: Math.max(0, contexts.length - 1), entry: current ? placeOfKey(current.entry) : here },
    };
  }

  #idOf(node: Node): number {
    const known = this.#ids.get(node);
    if (known !== undefined) return known;
    this.#ids.set(node, this.#nextId);
    return this.#nextId++;
  }

  /** Undefined for what was decoded and never ran. */
  #listed(node: Node, graph: CodeGraph): ListedBlock | undefined {
    const place = placeOfKey(node.key);
    const edges = node.out.filter(({ count }) => count > 0).map((edge) => this.#edge(edge));
    const id = this.#idOf(node);
    if (!(node instanceof Block)) {
      return { id, ...place, kind: 'selector', bytes: 0, executions: node.passes, edges, instructions: () => [] };
    }
    const nodes = executed(node, graph);
    if (nodes.length === 0) return undefined;
    return {
      id,
      ...place,
      kind: 'code',
      bytes: nodes.reduce((sum, { length }) => sum + length, 0),
      executions: graph.executions(node.first),
      edges,
      variant: this.#variant(node.first, graph),
      instructions: () =>
        nodes.map((each) => ({
          ...codePlace(each.cs, each.ip),
          bytes: each.bytes,
          text: codeText(each, this.#symbols),
        })),
    };
  }

  #edge({ type, to, from, count }: ChipEdge): Edge {
    return { type: from instanceof Block ? edgeType(type) : 'selector', to: this.#idOf(to), count };
  }

  #variant(first: Instruction, graph: CodeGraph): BlockVariant | undefined {
    const variants = graph.variantsAt(first.cs, first.ip);
    if (variants.length < 2) return undefined;
    const live = isInMemory(first, this.#cpu.memory);
    return { number: variants.indexOf(first) + 1, of: variants.length, live };
  }
}

/** Instructions of a block that have run: those at its end may have been decoded only. */
export function executed(block: Block, graph: CodeGraph): readonly Instruction[] {
  const { nodes } = block;
  if (graph.executions(block.last) > 0) return nodes;
  return nodes.filter((node) => graph.executions(node) > 0);
}

function edgeType(type: ChipEdge['type']): EdgeType {
  return type === 'cpu-fault' ? 'fault' : type;
}
