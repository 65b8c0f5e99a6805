import type { CodeFunction } from '../../../chips/x86/graph/functions.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import { hex } from '../../../formats/hex.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';
import type { CodePlace, FunctionsCapability, KnownFunction } from '../../../machine/functions.ts';
import type { FlowGraph, GraphCapability } from '../../../machine/graph.ts';
import { calleesOf } from '../../shared/flow-functions.ts';
import { FunctionBodies } from '../../shared/function-bodies.ts';
import { TimeSlice } from '../../shared/time-slice.ts';
import { codePlace, placeOf } from './dos-addresses.ts';

type Callers = ReadonlyMap<string, ReadonlyMap<string, CodePlace>>;

/** The processor's catalogue of functions, with the places of the calls. Handlers of interrupts are named after their vectors. */
export class DosFunctions implements FunctionsCapability {
  readonly #cpu: X86;
  readonly #symbols: SymbolTable;
  readonly #graph: Pick<GraphCapability, 'read'>;
  readonly #hold: () => Promise<() => void>;

  /** `hold` keeps the processor from running until what it gives is called. */
  constructor(
    cpu: X86,
    symbols: SymbolTable,
    graph: Pick<GraphCapability, 'read'>,
    hold: () => Promise<() => void> = async () => () => {},
  ) {
    this.#cpu = cpu;
    this.#symbols = symbols;
    this.#graph = graph;
    this.#hold = hold;
  }

  async list(): Promise<readonly KnownFunction[]> {
    const { graph, functions, handlers } = await this.#found();
    const slice = new TimeSlice();
    const callers = await callersIn(graph, slice);
    const counted = functions.map((each) => ({ ...placeOf(this.#cpu.addressOf(each.key)), calls: each.calls, each }));
    const bodies = new FunctionBodies(graph, counted);
    const found: KnownFunction[] = [];
    for (const { each, ...place } of counted) {
      if (slice.isOver) await slice.next();
      found.push({
        ...place,
        name: this.#symbols.describe(place.address, 0n) ?? vectorName(each) ?? handlers.get(place.address),
        callers: [...(callers.get(place.where)?.values() ?? [])],
        // All lists together may be long where functions share code, and nobody wants them all.
        get callees() {
          return calleesOf(bodies.of(place), graph);
        },
        returns: { aligned: each.returns, misaligned: each.misalignedReturns },
        bytes: bodies.of(place).reduce((sum, { bytes }) => sum + bytes, 0),
      });
    }
    return found;
  }

  /** Everything at one moment. */
  async #found() {
    const letGo = await this.#hold();
    try {
      return { graph: await this.#graph.read(), functions: this.#cpu.functions, handlers: this.#handlers() };
    } finally {
      letGo();
    }
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

/** The instructions that call, by the place they call; each once, by its own place. */
async function callersIn({ blocks }: FlowGraph, slice: TimeSlice): Promise<Callers> {
  const found = new Map<string, Map<string, CodePlace>>();
  for (const { edges, last } of blocks.values()) {
    if (slice.isOver) await slice.next();
    for (const { type, to } of edges) {
      const target = type === 'call' ? blocks.get(to) : undefined;
      if (!target) continue;
      const places = found.get(target.where) ?? new Map<string, CodePlace>();
      found.set(target.where, places.set(last.where, last));
    }
  }
  return found;
}

function vectorName({ vector }: CodeFunction): string | undefined {
  return vector < 0 ? undefined : interruptName(vector);
}

function interruptName(vector: number): string {
  return `int_${hex(vector, 2)}h`;
}
