import type { PagedRam } from './paged-ram.ts';

/** What they are called. */
export const expansionNames = {
  reu: 'REU',
  georam: 'GeoRAM',
  dqbb: 'DQBB',
  ramcart: 'RAMCart',
  isepic: 'ISEPIC',
  plus60k: '+60K',
  plus256k: 'three banks of the +256K',
} as const;

/** A large memory, and where the state of the machine names its contents. */
export interface NamedRam {
  readonly name: keyof typeof expansionNames;
  readonly ram: PagedRam;
  /** Places of the two words in the state. */
  readonly low: number;
  readonly high: number;
}

/** The large memories of a machine, whose contents its state only names. */
export class ExpansionRams {
  readonly #words: Int32Array;
  #rams: readonly NamedRam[];

  constructor(words: Int32Array, rams: readonly NamedRam[]) {
    this.#words = words;
    this.#rams = rams;
  }

  /** Others are there now. */
  replace(rams: readonly NamedRam[]): void {
    this.#rams = rams;
  }

  /** Those that are there, with their sizes. */
  get present(): readonly { readonly name: NamedRam['name']; readonly bytes: number }[] {
    return this.#rams.map(({ name, ram }) => ({ name, bytes: ram.bytes.length }));
  }

  of(name: string): PagedRam | undefined {
    return this.#rams.find((each) => each.name === name)?.ram;
  }

  /** Writes the names of what is in them now into the state. */
  name(): void {
    for (const { ram, low, high } of this.#rams) {
      const revision = ram.name();
      this.#words[low] = revision.low;
      this.#words[high] = revision.high;
    }
  }

  /** What is in them now can be returned to for as long as somebody has this copy of the state. */
  hold(copy: Uint8Array): void {
    for (const { ram } of this.#rams) ram.hold(copy);
  }

  /** Somebody wrote to the state. Contents that nobody holds any more are not found; what is in then stays. */
  restored(): void {
    for (const { ram, low, high } of this.#rams) ram.restore(this.#words[low] ?? 0, this.#words[high] ?? 0);
    this.name();
  }

  /** False if these are no contents of theirs. */
  remember(image: Uint8Array): boolean {
    return this.#rams.filter(({ ram }) => ram.remember(image)).length > 0;
  }

  /** What was in them when this copy of the words was made. */
  imagesIn(words: Int32Array): readonly Uint8Array[] {
    return this.#rams.flatMap(({ ram, low, high }) => ram.image(words[low] ?? 0, words[high] ?? 0) ?? []);
  }
}
