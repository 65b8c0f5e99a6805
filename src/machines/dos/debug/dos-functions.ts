import type { CodeFunction } from '../../../chips/x86/graph/functions.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';
import { FunctionBodies } from '../../../machine/function-bodies.ts';
import type { CodePlace, FunctionsCapability, KnownFunction } from '../../../machine/functions.ts';
import type { Block, FlowGraph, GraphCapability } from '../../../machine/graph.ts';
import { codePlace, placeOfKey } from './dos-addresses.ts';

/** The processor's catalogue of functions, with the places of the calls. Handlers of interrupts are named after their vectors. */
export class DosFunctions implements FunctionsCapability {
  readonly #cpu: X86;
  readonly #symbols: SymbolTable;
  readonly #graph: Pick<GraphCapability, 'read'>;

  constructor(cpu: X86, symbols: SymbolTable, graph: Pick<GraphCapability, 'read'>) {
    this.#cpu = cpu;
    this.#symbols = symbols;
    this.#graph = graph;
  }

  async list(): Promise<readonly KnownFunction[]> {
    const graph = await this.#graph.read();
    const callers = callersIn(graph);
    const handlers = this.#handlers();
    const counted = this.#cpu.functions.map((each) => ({ ...placeOfKey(each.key), each }));
    const bodies = new FunctionBodies(graph, counted);
    return counted.map(({ each, ...place }) => {
      const body = bodies.of(place);
      return {
        ...place,
        name: this.#symbols.describe(place.address, 0n) ?? vectorName(each) ?? handlers.get(place.address),
        calls: each.calls,
        callers: callers.get(place.where) ?? [],
        callees: calleesOf(body, graph),
        returns: { aligned: each.returns, misaligned: each.misalignedReturns },
        bytes: body.reduce((sum, { bytes }) => sum + bytes, 0),
      };
    });
  }

  /** Names of what the vectors lead to, by linear address. */
  #handlers(): ReadonlyMap<bigint, string> {
    const { memory } = this.#cpu;
    const word = (at: number) => memory.peek8(at) | (memory.peek8(at + 1) << 8);
    const names = new Map<bigint, string>();
    for (let vector = 0xff; vector >= 0; vector--) {
      names.set(codePlace(word(vector * 4 + 2), word(vector * 4)).address, interruptName(vector));
    }
    return names;
  }
}

/** The instructions that call, by the place they call. */
function callersIn({ blocks }: FlowGraph): ReadonlyMap<string, readonly CodePlace[]> {
  const found = new Map<string, CodePlace[]>();
  for (const block of blocks.values()) {
    for (const { type, to } of block.edges) {
      const target = type === 'call' ? blocks.get(to) : undefined;
      if (!target) continue;
      const places = found.get(target.where) ?? [];
      if (!places.some(({ where }) => where === block.last.where)) places.push(block.last);
      found.set(target.where, places);
    }
  }
  return found;
}

/** Each once, in the order of the calls. */
function calleesOf(body: readonly Block[], { blocks }: FlowGraph): readonly CodePlace[] {
  const found = new Map<string, CodePlace>();
  for (const { edges } of body) {
    for (const { type, to } of edges) {
      const target = type === 'call' ? blocks.get(to) : undefined;
      if (target) found.set(target.where, { address: target.address, where: target.where, segment: target.segment });
    }
  }
  return [...found.values()];
}

function vectorName({ vector }: CodeFunction): string | undefined {
  return vector < 0 ? undefined : interruptName(vector);
}

function interruptName(vector: number): string {
  return `int_${vector.toString(16).toUpperCase().padStart(2, '0')}h`;
}
