import { countUpTo, risingOrder } from '../../../formats/elf/address-order.ts';
import type { NamedPlace } from '../../../formats/elf/elf-symbols.ts';
import type { Pause } from '../../../formats/elf/pause.ts';
import { SourceNames } from './source-names.ts';

/** How far a name without a size reaches, if no other comes before: the largest kernel functions are smaller. */
export const defaultReach = 1n << 16n;

/** Places by name and by address. */
export class NameIndex {
  readonly #places: NamedPlace[] = [];
  readonly #byName = new Map<string, NamedPlace>();
  readonly #source = new SourceNames();
  /** Names that several places of one program have, none of them for the whole of it. */
  readonly #shared = new Map<string, NamedPlace[]>();
  #sorted: { readonly addresses: BigUint64Array; readonly places: readonly NamedPlace[] } | undefined;

  get size(): number {
    return this.#byName.size;
  }

  get all(): readonly (readonly [string, bigint])[] {
    return Array.from(this.#byName, ([name, { address }]) => [name, address]);
  }

  /** The last one of a name is meant by it; earlier ones keep theirs for their addresses. */
  put(place: NamedPlace): void {
    this.#shared.delete(place.name);
    this.#enter(place);
  }

  #enter(place: NamedPlace): void {
    this.#places.push(place);
    this.#byName.set(place.name, place);
    this.#source.add(place);
    this.#sorted = undefined;
  }

  /** Adds many without keeping others waiting. */
  async putAll(places: readonly NamedPlace[], pause: Pause): Promise<void> {
    const own = new Set<NamedPlace>();
    for (const [n, place] of places.entries()) {
      const before = this.#byName.get(place.name);
      if (before && own.has(before) && before.local && place.local) {
        const all = this.#shared.get(place.name) ?? [before];
        if (all.every(({ address }) => address !== place.address)) this.#shared.set(place.name, [...all, place]);
      } else this.#shared.delete(place.name);
      own.add(place);
      this.#enter(place);
      // Names of templates take a tenth of a millisecond each.
      if ((n & 31) === 0) await pause();
    }
    const sorting = this.#sorting();
    for (let step = sorting.next(); !step.done; step = sorting.next()) await pause();
  }

  /** Where else a name could mean, if it is not clear. */
  sharedBy(name: string): readonly NamedPlace[] {
    return this.#shared.get(name) ?? [];
  }

  address(name: string): bigint | undefined {
    return this.#byName.get(name)?.address ?? this.#source.address(name);
  }

  /** As it is written in source. */
  shown({ name }: NamedPlace): string {
    return this.#source.nameOf(name);
  }

  placeAt(address: bigint, reach: bigint): NamedPlace | undefined {
    const { addresses, places } = this.#order;
    const found = places[countUpTo(addresses, address) - 1];
    if (!found) return undefined;
    const offset = address - found.address;
    // Beyond its size there is padding, or nothing we know.
    const most = found.size > 0 && BigInt(found.size) < reach ? BigInt(found.size) - 1n : reach;
    return offset <= most ? found : undefined;
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
