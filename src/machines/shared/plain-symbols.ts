import type { SymbolTable } from '../../machine/addresses.ts';

/** Each name once, for one address. */
export class PlainSymbols implements SymbolTable {
  readonly #addresses = new Map<string, bigint>();
  /** The name that was given last to each address that has one; undefined when they have to be gathered again. */
  #names: Map<bigint, string> | undefined = new Map();
  /** Addresses with a name, in order; sorted as plain numbers, because a kernel has some hundred thousand. */
  #sorted: BigUint64Array | undefined;

  get size(): number {
    return this.#addresses.size;
  }

  add(symbols: Iterable<readonly [string, bigint]>): void {
    for (const [name, address] of symbols) {
      const before = this.#addresses.get(name);
      if (before !== undefined && before !== address) this.remove(name);
      this.#addresses.set(name, address);
      this.#names?.set(BigInt.asUintN(64, address), name);
    }
    this.#sorted = undefined;
  }

  remove(name: string): void {
    const address = this.#addresses.get(name);
    if (address === undefined) return;
    this.#addresses.delete(name);
    const key = BigInt.asUintN(64, address);
    if (this.#names?.get(key) !== name) return;
    this.#names.delete(key);
    this.#sorted = undefined;
    // Another name of the address may have been hidden by it.
    if (this.#addresses.size > this.#names.size) this.#names = undefined;
  }

  address(name: string): bigint | undefined {
    return this.#addresses.get(name);
  }

  describe(address: bigint, reach = 256n): string | undefined {
    this.#names ??= new Map(Array.from(this.#addresses, ([name, at]) => [BigInt.asUintN(64, at), name]));
    const exact = this.#names.get(address);
    if (exact !== undefined || reach === 0n) return exact;
    this.#sorted ??= BigUint64Array.from(this.#names.keys()).sort();
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] ?? 0n) <= address) low = middle + 1;
      else high = middle;
    }
    const found = this.#sorted[low - 1];
    if (found === undefined || address - found > reach) return undefined;
    return `${this.#names.get(found)}+${address - found}`;
  }

  get all(): readonly (readonly [string, bigint])[] {
    return [...this.#addresses];
  }
}
