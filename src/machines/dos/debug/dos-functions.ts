import type { CodeFunction } from '../../../chips/x86/graph/functions.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import { hex } from '../../../formats/hex.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';
import type { CodePlace, FunctionsCapability, KnownFunction, LibraryMatch } from '../../../machine/functions.ts';
import type { FlowGraph, GraphCapability } from '../../../machine/graph.ts';
import { calleesOf } from '../../shared/flow-functions.ts';
import { FunctionBodies } from '../../shared/function-bodies.ts';
import { TimeSlice } from '../../shared/time-slice.ts';
import { isSure, type KnownSignatures, type LibraryFunction } from '../signatures/known-signatures.ts';
import { mostBytes } from '../signatures/signature.ts';
import { codePlace, placeOf } from './dos-addresses.ts';
import type { FormerCode } from './former-code.ts';

type Callers = ReadonlyMap<string, ReadonlyMap<string, CodePlace>>;

/** The processor's catalogue of functions, with the places of the calls. Handlers of interrupts are named after their vectors. */
export class DosFunctions implements FunctionsCapability {
  readonly #cpu: X86;
  readonly #symbols: SymbolTable;
  readonly #graph: Pick<GraphCapability, 'read'>;
  readonly #hold: () => Promise<() => void>;
  readonly #signatures: KnownSignatures | undefined;
  readonly #former: Pick<FormerCode, 'shareOf'> | undefined;

  /** `hold` keeps the processor from running until what it gives is called; `former` code has no functions. */
  constructor(
    cpu: X86,
    symbols: SymbolTable,
    graph: Pick<GraphCapability, 'read'>,
    hold: () => Promise<() => void> = async () => () => {},
    signatures?: KnownSignatures,
    former?: Pick<FormerCode, 'shareOf'>,
  ) {
    this.#cpu = cpu;
    this.#symbols = symbols;
    this.#graph = graph;
    this.#hold = hold;
    this.#signatures = signatures;
    this.#former = former;
  }

  async list(): Promise<readonly KnownFunction[]> {
    const { graph, functions, handlers, beginnings } = await this.#found();
    const libraries = (await this.#signatures?.recognise(beginnings)) ?? [];
    const slice = new TimeSlice();
    const callers = await callersIn(graph, slice);
    const counted = functions
      .map((each, index) => ({ ...placeOf(this.#cpu.addressOf(each.key)), each, library: matchOf(libraries[index]) }))
      .filter(({ each, where }) => !this.#isFormer(each, callers.has(where)));
    const merged = oneOfEachPlace(counted);
    const bodies = new FunctionBodies(graph, merged);
    const found: KnownFunction[] = [];
    for (const { each, library, ...place } of merged) {
      if (slice.isOver) await slice.next();
      const own = this.#symbols.describe(place.address, 0n) ?? vectorName(each) ?? handlers.get(place.address);
      found.push({
        ...place,
        name: own ?? (library?.names.length === 1 ? library.names[0] : undefined),
        ...(library && { library }),
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
      const { functions } = this.#cpu;
      const beginnings = this.#signatures ? functions.map(({ key }) => this.#beginning(key)) : [];
      return { graph: await this.#graph.read(), functions, handlers: this.#handlers(), beginnings };
    } finally {
      letGo();
    }
  }

  /** It may lie where the present program has other code; then nothing that calls it is left. */
  #isFormer({ key, cause }: CodeFunction, isCalled: boolean): boolean {
    const share = this.#former?.shareOf(key) ?? 'none';
    return share === 'all' || (share === 'some' && cause === 'call' && !isCalled);
  }

  #beginning(key: number): Uint8Array {
    const { linear } = this.#cpu.addressOf(key);
    return Uint8Array.from({ length: mostBytes }, (_, at) => this.#cpu.peek((linear + at) >>> 0));
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

/** What was called in real mode and in protected mode under the same address is one function. */
function oneOfEachPlace<Counted extends CodePlace & { readonly each: CodeFunction }>(
  all: readonly Counted[],
): (Counted & { readonly calls: number })[] {
  const places = new Map<string, Counted>();
  for (const counted of all) {
    const same = places.get(counted.where);
    places.set(counted.where, same ? { ...same, each: together(same.each, counted.each) } : counted);
  }
  return [...places.values()].map((counted) => ({ ...counted, calls: counted.each.calls }));
}

function together(a: CodeFunction, b: CodeFunction): CodeFunction {
  return {
    ...a,
    vector: a.vector < 0 ? b.vector : a.vector,
    calls: a.calls + b.calls,
    returns: a.returns + b.returns,
    misalignedReturns: a.misalignedReturns + b.misalignedReturns,
  };
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

function matchOf(known: LibraryFunction | undefined): LibraryMatch | undefined {
  if (!known) return undefined;
  const { names, of, bytes } = known;
  return { names, of, bytes, certainty: isSure(known) ? 'sure' : 'likely' };
}

function vectorName({ vector }: CodeFunction): string | undefined {
  return vector < 0 ? undefined : interruptName(vector);
}

function interruptName(vector: number): string {
  return `int_${hex(vector, 2)}h`;
}
