import { Block, type Selector } from '../../../chips/x86/graph/block.ts';
import type { CodeFunction } from '../../../chips/x86/graph/functions.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';
import type { CodePlace, FunctionsCapability, KnownFunction } from '../../../machine/functions.ts';
import { codePlace, placeOfKey } from './dos-addresses.ts';

/** The processor's catalogue of functions, with the places of the calls. Handlers of interrupts have names by themselves. */
export class DosFunctions implements FunctionsCapability {
  readonly #cpu: X86;
  readonly #symbols: SymbolTable;

  constructor(cpu: X86, symbols: SymbolTable) {
    this.#cpu = cpu;
    this.#symbols = symbols;
  }

  async list(): Promise<readonly KnownFunction[]> {
    const callers = this.#callers();
    const handlers = this.#handlers();
    return this.#cpu.functions.map((each) => {
      const place = placeOfKey(each.key);
      return {
        ...place,
        name: this.#symbols.describe(place.address, 0n) ?? vectorName(each) ?? handlers.get(place.address),
        calls: each.calls,
        callers: callers.get(each.key) ?? [],
        callees: each.callees.map(({ key }) => placeOfKey(key)),
        returns: { aligned: each.returns, misaligned: each.misalignedReturns },
      };
    });
  }

  /** Where calls stand, by the key of what they call. */
  #callers(): ReadonlyMap<number, readonly CodePlace[]> {
    const { graph } = this.#cpu;
    const found = new Map<number, CodePlace[]>();
    for (const node of [...graph.blocks, ...graph.selectors]) {
      for (const { type, count, to } of node.out) {
        if (type !== 'call' || count === 0) continue;
        const places = found.get(to.key) ?? [];
        const place = lastPlace(node);
        if (!places.some(({ where }) => where === place.where)) places.push(place);
        found.set(to.key, places);
      }
    }
    return found;
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

function vectorName({ vector }: CodeFunction): string | undefined {
  return vector < 0 ? undefined : interruptName(vector);
}

function interruptName(vector: number): string {
  return `int_${vector.toString(16).toUpperCase().padStart(2, '0')}h`;
}

function lastPlace(node: Block | Selector): CodePlace {
  return node instanceof Block ? codePlace(node.last.cs, node.last.ip) : placeOfKey(node.key);
}
