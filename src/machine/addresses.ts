import { MachineError } from './errors.ts';

/** How a machine writes addresses and what its symbols are. */
export interface AddressCapability {
  /** `$C000`, `1000:0234`, `0xffffffff81000000`. */
  format(address: number): string;
  /** Takes `segment:offset` where the machine has segments. */
  segmented?(segment: number, offset: number): number;
  readonly symbols: SymbolTable;
}

/** Names for addresses, from files or assembled sources. */
export class SymbolTable {
  readonly #addresses = new Map<string, number>();
  #sorted: { readonly name: string; readonly address: number }[] | undefined;

  get size(): number {
    return this.#addresses.size;
  }

  add(symbols: Iterable<readonly [string, number]>): void {
    for (const [name, address] of symbols) this.#addresses.set(name, address);
    this.#sorted = undefined;
  }

  address(name: string): number | undefined {
    return this.#addresses.get(name);
  }

  /** `name` or `name+2` for the last symbol at or before the address, if it is near. */
  describe(address: number, reach = 256): string | undefined {
    this.#sorted ??= [...this.#addresses]
      .map(([name, at]) => ({ name, address: at }))
      .sort((a, b) => a.address - b.address);
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle]?.address ?? 0) <= address) low = middle + 1;
      else high = middle;
    }
    const found = this.#sorted[low - 1];
    if (!found || address - found.address > reach) return undefined;
    return found.address === address ? found.name : `${found.name}+${address - found.address}`;
  }

  get all(): readonly (readonly [string, number])[] {
    return [...this.#addresses];
  }
}

const plain = /^(?:\$([0-9a-f]+)|0x([0-9a-f]+)|([0-9][0-9a-f]*)h|([0-9]+))$/i;
const segmentedForm = /^([0-9a-f]{1,4}):([0-9a-f]{1,8})$/i;
const withOffset = /^(.+?)\s*([+-])\s*(\$[0-9a-f]+|0x[0-9a-f]+|[0-9]+)$/i;

/** An address as people write them: `$C000`, `0xC000`, `C000h`, `1000:0234`, decimal, a symbol, a symbol and an offset. */
export function parseAddress(text: string, addresses: AddressCapability): number {
  const trimmed = text.trim();
  const found = parsePlain(trimmed) ?? addresses.symbols.address(trimmed) ?? parseSegmented(trimmed, addresses);
  if (found !== undefined) return found;
  const sum = withOffset.exec(trimmed);
  const base = sum?.[1] === undefined ? undefined : addresses.symbols.address(sum[1]);
  if (sum && base !== undefined) return base + (sum[2] === '-' ? -1 : 1) * (parsePlain(sum[3] ?? '') ?? 0);
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${JSON.stringify(text.slice(0, 60))} is neither an address nor a known symbol.`,
    `Write ${addresses.format(0x1000)}, 0x1000, 1000h, 4096${addresses.segmented ? ', 0100:0000' : ''} or a symbol (${addresses.symbols.size} are loaded).`,
  );
}

function parsePlain(text: string): number | undefined {
  const match = plain.exec(text);
  if (!match) return undefined;
  const hex = match[1] ?? match[2] ?? match[3];
  return hex === undefined ? Number(match[4]) : Number.parseInt(hex, 16);
}

function parseSegmented(text: string, addresses: AddressCapability): number | undefined {
  const match = segmentedForm.exec(text);
  if (!match || !addresses.segmented) return undefined;
  return addresses.segmented(Number.parseInt(match[1] ?? '', 16), Number.parseInt(match[2] ?? '', 16));
}
