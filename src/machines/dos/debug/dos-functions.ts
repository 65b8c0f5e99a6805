import { Block, type Selector } from '../../../chips/x86/graph/block.ts';
import type { CodeFunction } from '../../../chips/x86/graph/functions.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';
import type { CodePlace, FunctionsCapability, KnownFunction } from '../../../machine/functions.ts';
import { TimeSlice } from '../../../machine/time-slice.ts';
import { codePlace, placeOfKey } from './dos-addresses.ts';

/** The processor's catalogue of functions, with the places of the calls. Handlers of interrupts have names by themselves. */
export class DosFunctions implements FunctionsCapability {
  readonly #cpu: X86;
  readonly #symbols: SymbolTable;
  readonly #hold: () => Promise<() => void>;

  /** `hold` keeps the processor from running until what it gives is called. */
  constructor(cpu: X86, symbols: SymbolTable, hold: () => Promise<() => void> = async () => () => {}) {
    this.#cpu = cpu;
    this.#symbols = symbols;
    this.#hold = hold;
  }

  async list(): Promise<readonly KnownFunction[]> {
    const letGo = await this.#hold();
    try {
      const callers = this.#callers();
      const handlers = this.#handlers();
      const slice = new TimeSlice();
      const found: KnownFunction[] = [];
      for (const each of this.#cpu.functions) {
        if (slice.isOver) await slice.next();
        const place = placeOfKey(each.key);
        found.push({
          ...place,
          name: this.#symbols.describe(place.address, 0n) ?? vectorName(each) ?? handlers.get(place.address),
          calls: each.calls,
          callers: [...(callers.get(each.key)?.values() ?? [])],
          callees: each.callees.map(({ key }) => placeOfKey(key)),
          returns: { aligned: each.returns, misaligned: each.misalignedReturns },
        });
      }
      return found;
    } finally {
      letGo();
    }
  }

  /** Where calls stand, by the key of what they call. */
  #callers(): ReadonlyMap<number, ReadonlyMap<string, CodePlace>> {
    const { graph } = this.#cpu;
    const found = new Map<number, Map<string, CodePlace>>();
    for (const node of [...graph.blocks, ...graph.selectors]) {
      for (const { type, count, to } of node.out) {
        if (type !== 'call' || count === 0) continue;
        const places = found.get(to.key) ?? new Map<string, CodePlace>();
        const place = lastPlace(node);
        if (!places.has(place.where)) places.set(place.where, place);
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
