import { Block, type Edge, type Selector } from '../../../chips/x86/graph/block.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';
import type { CodePlace, FunctionsCapability, KnownFunction } from '../../../machine/functions.ts';
import { codePlace, placeOfKey } from './dos-addresses.ts';
import { InterruptEntries } from './interrupt-entries.ts';

type Node = Block | Selector;

/** Functions by the calls that the graph has seen, and the handlers of hardware interrupts; those of vectors have names. */
export class DosFunctions implements FunctionsCapability {
  readonly #cpu: X86;
  readonly #symbols: SymbolTable;

  constructor(cpu: X86, symbols: SymbolTable) {
    this.#cpu = cpu;
    this.#symbols = symbols;
  }

  async list(): Promise<readonly KnownFunction[]> {
    const { graph } = this.#cpu;
    const entries = new Map<number, { node: Node; calls: Edge[] }>();
    for (const node of [...graph.blocks, ...graph.selectors]) {
      const calls = node.in.filter(({ type, count }) => type === 'call' && count > 0);
      if (calls.length === 0 && node.entries <= 0) continue;
      const known = entries.get(node.key);
      if (known) known.calls.push(...calls);
      else entries.set(node.key, { node, calls });
    }
    const handlers = this.#handlers();
    return [...entries].map(([key, { node, calls }]) => this.#function(key, node, calls, handlers));
  }

  /** Names of interrupt handlers, by linear address. */
  #handlers(): ReadonlyMap<number, string> {
    const vectors = new InterruptEntries(this.#cpu);
    const names = new Map<number, string>();
    for (let vector = 0xff; vector >= 0; vector--) {
      names.set(vectors.handlerOf(vector), `int_${vector.toString(16).toUpperCase().padStart(2, '0')}h`);
    }
    return names;
  }

  #function(key: number, node: Node, calls: readonly Edge[], handlers: ReadonlyMap<number, string>): KnownFunction {
    const place = placeOfKey(key);
    const sum = (value: (edge: Edge) => number) => calls.reduce((total, edge) => total + value(edge), 0);
    return {
      ...place,
      name: this.#symbols.describe(place.address, 0n) ?? handlers.get(Number(place.address)),
      calls: sum(({ count }) => count) + Math.max(0, node.entries),
      callers: distinct(calls.map(({ from }) => lastPlace(from))),
      callees: calleesOf(node),
      returns: { aligned: sum(({ returns }) => returns), misaligned: sum(misalignedReturns) },
    };
  }
}

/** Returns of a call that came back elsewhere; the block of the call has them as edges. */
function misalignedReturns({ from, count, returns }: Edge): number {
  const elsewhere = from.out
    .filter(({ type }) => type === 'misaligned-return')
    .reduce((sum, edge) => sum + edge.count, 0);
  // An indirect call may have several targets, which share these edges.
  return Math.min(elsewhere, count - returns);
}

/** What is called by the blocks that are reached without a call. */
function calleesOf(start: Node): readonly CodePlace[] {
  const seen = new Set<Node>([start]);
  const called: CodePlace[] = [];
  for (const node of seen) {
    const returns = node instanceof Block && isReturn(node);
    for (const { type, to, count } of node.out) {
      if (count === 0) continue;
      if (type === 'call') called.push(placeOfKey(to.key));
      else if (!returns && (type === 'normal' || type === 'call-to-return')) seen.add(to);
    }
  }
  return distinct(called);
}

/** Where a return goes belongs to the caller. */
function isReturn({ last }: Block): boolean {
  const { mnemonic } = last.form;
  return mnemonic === 'ret' || mnemonic === 'retf' || mnemonic === 'iret';
}

function lastPlace(node: Node): CodePlace {
  return node instanceof Block ? codePlace(node.last.cs, node.last.ip) : placeOfKey(node.key);
}

function distinct(places: readonly CodePlace[]): readonly CodePlace[] {
  return [...new Map(places.map((place) => [place.where, place])).values()];
}
