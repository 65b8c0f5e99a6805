import type { CodeGraph } from '../../../chips/x86/graph/code-graph.ts';
import { isInMemory } from '../../../chips/x86/graph/code-map.ts';
import { drawFlow, type FlowBlock, type FlowEdge } from '../../../chips/x86/graph/flow-blocks.ts';
import { isReturn } from '../../../chips/x86/graph/functions.ts';
import type { Instruction } from '../../../chips/x86/instruction.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';
import type { CodePlace } from '../../../machine/functions.ts';
import type {
  BlockInstruction,
  BlockVariant,
  DataReference,
  Edge,
  EdgeType,
  FlowGraph,
  GraphCapability,
  Block as ListedBlock,
} from '../../../machine/graph.ts';
import { TimeSlice } from '../../shared/time-slice.ts';
import { codeText } from './code-text.ts';
import { allReferences, referencesOf } from './data-references.ts';
import { placeOf } from './dos-addresses.ts';
import type { FormerCode } from './former-code.ts';

/** The processor's own graph, its executed part, for tools. */
export class DosGraph implements GraphCapability {
  readonly #cpu: X86;
  readonly #symbols: SymbolTable;
  readonly #hold: () => Promise<() => void>;
  readonly #recorded: Required<Pick<GraphCapability, 'dataReferences'>> | undefined;
  readonly #former: Pick<FormerCode, 'has'> | undefined;
  readonly #ids = new WeakMap<FlowBlock['head'], number>();
  #nextId = 1;

  /**
   * `recorded` knows who read and wrote an address; `hold` keeps the processor from running until what it gives is called;
   * `former` code is not shown.
   */
  constructor(
    cpu: X86,
    symbols: SymbolTable,
    recorded?: Required<Pick<GraphCapability, 'dataReferences'>>,
    hold: () => Promise<() => void> = async () => () => {},
    former?: Pick<FormerCode, 'has'>,
  ) {
    this.#cpu = cpu;
    this.#symbols = symbols;
    this.#hold = hold;
    this.#recorded = recorded;
    this.#former = former;
  }

  async dataReferences(address: bigint): Promise<readonly DataReference[]> {
    const recorded = (await this.#recorded?.dataReferences(address)) ?? [];
    const known = new Set(recorded.map(({ instruction, access }) => `${instruction.where} ${access}`));
    const letGo = await this.#hold();
    try {
      const absolute = await referencesOf(this.#cpu.graph, Number(address), (node) => !this.#isFormer(node));
      return [
        ...recorded,
        ...absolute.filter(({ instruction, access }) => !known.has(`${instruction.where} ${access}`)),
      ];
    } finally {
      letGo();
    }
  }

  async allDataReferences(offsets: ReadonlySet<bigint>): Promise<readonly DataReference[]> {
    const letGo = await this.#hold();
    try {
      return await allReferences(this.#cpu.graph, new Set([...offsets].map(Number)), (node) => !this.#isFormer(node));
    } finally {
      letGo();
    }
  }

  async read(): Promise<FlowGraph> {
    const letGo = await this.#hold();
    try {
      return await this.#read();
    } finally {
      letGo();
    }
  }

  async #read(): Promise<FlowGraph> {
    const { graph, contexts, lastExecuted } = this.#cpu;
    const slice = new TimeSlice();
    const drawn = await inSlices(drawFlow(graph), slice);
    const shown = drawn.filter((block) => !this.#isHidden(block));
    const blocks = new Map<number, ListedBlock>();
    for (const block of shown) {
      if (slice.isOver) await slice.next();
      blocks.set(this.#idOf(block), this.#listed(block, graph));
    }
    const here = placeOf(this.#cpu.here);
    const current = contexts.at(-1);
    return {
      blocks,
      entryPoints: [...this.#cpu.entryKeys].map((key) => this.#placeOfKey(key)),
      ...(lastExecuted && { lastExecuted: placeOf(lastExecuted) }),
      context: { depth: Math.max(0, contexts.length - 1), entry: current ? this.#placeOfKey(current.entry) : here },
    };
  }

  #isFormer(node: Instruction): boolean {
    return this.#former?.has(node) ?? false;
  }

  /** A selector alone has nothing left to choose from. */
  #isHidden({ nodes, out }: FlowBlock): boolean {
    if (nodes.length > 0) return nodes.every((node) => this.#isFormer(node));
    return out.length > 0 && out.every(({ to }) => to.nodes.length > 0 && this.#isHidden(to));
  }

  #placeOfKey(key: number): CodePlace {
    return placeOf(this.#cpu.addressOf(key));
  }

  #idOf({ head }: FlowBlock): number {
    const known = this.#ids.get(head);
    if (known !== undefined) return known;
    this.#ids.set(head, this.#nextId);
    return this.#nextId++;
  }

  #listed(block: FlowBlock, graph: CodeGraph): ListedBlock {
    const { key, nodes, executions, out } = block;
    const place = this.#placeOfKey(key);
    const last = nodes.at(-1);
    const variant = () => this.#variant(nodes, graph);
    return {
      id: this.#idOf(block),
      ...place,
      last: last ? placeOf(last) : place,
      kind: nodes.length > 0 ? 'code' : 'selector',
      bytes: nodes.reduce((sum, { length }) => sum + length, 0),
      executions,
      edges: out.filter(({ to }) => !this.#isHidden(to)).map((edge) => this.#edge(edge, last)),
      get variant() {
        return variant();
      },
      instructions: () => nodes.map((each) => this.#instruction(each)),
    };
  }

  /** Many readers only want the places. */
  #instruction(node: Instruction): BlockInstruction {
    const symbols = this.#symbols;
    return {
      ...placeOf(node),
      bytes: node.bytes,
      get text() {
        return codeText(node, symbols);
      },
    };
  }

  #edge({ type, to, count }: FlowEdge, last: Instruction | undefined): Edge {
    return { type: edgeType(type, last), to: this.#idOf(to), count };
  }

  /** By the first instruction in it whose address has had others. */
  #variant(nodes: readonly Instruction[], graph: CodeGraph): BlockVariant | undefined {
    for (const node of nodes) {
      const variants = graph.variantsOf(node).filter((each) => !this.#isFormer(each));
      if (variants.length < 2) continue;
      const live = nodes.every((each) => isInMemory(each, (linear) => this.#cpu.peek(linear)));
      return { number: variants.indexOf(node) + 1, of: variants.length, live };
    }
    return undefined;
  }
}

function edgeType(type: FlowEdge['type'], last: Instruction | undefined): EdgeType {
  if (type === 'normal' && last && isReturn(last)) return 'return';
  return type === 'cpu-fault' ? 'fault' : type;
}

async function inSlices<T>(work: Generator<void, T>, slice: TimeSlice): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (slice.isOver) await slice.next();
  }
}
