import { SymbolTable } from '../../../machine/addresses.ts';
import { countUpTo, risingOrder } from './address-order.ts';
import type { NamedPlace } from './elf-symbols.ts';
import type { LineTable } from './line-table.ts';
import type { Pause } from './pause.ts';
import { SourceNames } from './source-names.ts';

/** How far a name without a size reaches, if no other comes before: the largest kernel functions are smaller. */
const defaultReach = 1n << 16n;

/** The names of a virtual machine: hundreds of thousands for a kernel, with sizes and lines of source where known. */
export class QemuSymbols extends SymbolTable {
  readonly #places: NamedPlace[] = [];
  readonly #byName = new Map<string, NamedPlace>();
  readonly #source = new SourceNames();
  readonly #lines: LineTable[] = [];
  #sorted: { readonly addresses: BigUint64Array; readonly places: readonly NamedPlace[] } | undefined;

  override get size(): number {
    return this.#byName.size;
  }

  override get all(): readonly (readonly [string, bigint])[] {
    return Array.from(this.#byName, ([name, { address }]) => [name, address]);
  }

  override add(symbols: Iterable<readonly [string, bigint]>): void {
    for (const [name, address] of symbols) this.#put({ name, address, size: 0 });
  }

  /** Adds many without keeping others waiting. */
  async addAll(places: readonly NamedPlace[], pause: Pause): Promise<void> {
    for (const [n, place] of places.entries()) {
      this.#put(place);
      // Names of templates take a tenth of a millisecond each.
      if ((n & 31) === 0) await pause();
    }
    const sorting = this.#sorting();
    for (let step = sorting.next(); !step.done; step = sorting.next()) await pause();
  }

  addLines(lines: LineTable): void {
    this.#lines.push(lines);
  }

  /** By the name in the file, or as it is written in source: `ns::Class::run(int)`, `ns::Class::run`. */
  override address(name: string): bigint | undefined {
    return this.#byName.get(name)?.address ?? this.#source.address(name);
  }

  /** `level2+8 (guest.c:41)`. A reach of 0 asks for what begins exactly there. */
  override describe(address: bigint, reach = defaultReach): string | undefined {
    const name = this.nameOf(address, reach);
    const line = reach === 0n ? undefined : this.lineOf(address);
    return line === undefined ? name : `${name ?? ''} (${line})`.trimStart();
  }

  nameOf(address: bigint, reach = defaultReach): string | undefined {
    const place = this.placeAt(address, reach);
    if (!place) return undefined;
    const name = this.#source.nameOf(place.name);
    return place.address === address ? name : `${name}+${address - place.address}`;
  }

  /** The function or variable that an address lies in. */
  placeAt(address: bigint, reach = defaultReach): NamedPlace | undefined {
    const { addresses, places } = this.#order;
    const found = places[countUpTo(addresses, address) - 1];
    if (!found) return undefined;
    const offset = address - found.address;
    // Beyond its size there is padding, or nothing we know.
    const most = found.size > 0 && BigInt(found.size) < reach ? BigInt(found.size) - 1n : reach;
    return offset <= most ? found : undefined;
  }

  /** `guest.c:41` */
  lineOf(address: bigint): string | undefined {
    for (const table of this.#lines) {
      const line = table.at(address);
      if (line !== undefined) return line;
    }
    return undefined;
  }

  /** The last one of a name is meant by it; earlier ones keep theirs for their addresses. */
  #put(place: NamedPlace): void {
    this.#places.push(place);
    this.#byName.set(place.name, place);
    this.#source.add(place);
    this.#sorted = undefined;
  }

  get #order() {
    if (!this.#sorted) for (const _ of this.#sorting());
    return this.#sorted ?? { addresses: new BigUint64Array(), places: [] };
  }

  *#sorting(): Generator<void> {
    const { length } = this.#places;
    const raw = new BigUint64Array(length);
    for (let n = 0; n < length; n++) raw[n] = this.#places[n]?.address ?? 0n;
    const order = yield* risingOrder(raw);
    const addresses = new BigUint64Array(length);
    const places: NamedPlace[] = [];
    for (let n = 0; n < length; n++) {
      const place = this.#places[order[n] ?? 0];
      if (!place) continue;
      addresses[n] = place.address;
      places.push(place);
      if ((n & 0x3fff) === 0) yield;
    }
    // Names that came in the meantime are not among them.
    if (length === this.#places.length) this.#sorted = { addresses, places };
  }
}
