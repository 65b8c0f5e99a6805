import type { NamedPlace } from '../elf/elf-symbols.ts';
import type { Pause } from '../elf/pause.ts';
import { TokenTable } from './token-table.ts';

const [fewest, most] = [1000, 4_000_000];
/** How far before its table of tokens the list of a kernel begins. */
const reachBytes = 32 * 1024 * 1024;
const perMarker = 256;
const trialSymbols = 64;
/** Of what merely looks like it, no more is tried. */
const [maxTables, maxLists] = [8, 16];
const maxNameTokens = 512;
const plainName = /^[\x21-\x7e]+$/;
const types = /^[a-zA-Z?]$/;
/** Code and data; not absolute values, which on x86 include the offsets of per-processor variables. */
const wanted = /[tTwWdDbBrRvVgGsSi]/;

/**
 * The list of its own symbols that a kernel carries in its read-only data (CONFIG_KALLSYMS), out of a copy of that
 * memory: there is no header, so it is found by the table with which its names are packed. Addresses are those of the
 * running kernel, wherever it was moved.
 */
export async function memoryKallsyms(
  image: Uint8Array,
  pause: Pause,
  isKernel: (address: bigint) => boolean,
): Promise<NamedPlace[] | undefined> {
  let tables = 0;
  for await (const tokens of TokenTable.all(image, pause)) {
    if (tables++ >= maxTables) break;
    const list = await new PackedList(image, tokens, isKernel).read(pause);
    if (list) return list;
  }
  return undefined;
}

class PackedList {
  readonly #image: Uint8Array;
  readonly #view: DataView;
  readonly #tokens: TokenTable;
  readonly #isKernel: (address: bigint) => boolean;

  constructor(image: Uint8Array, tokens: TokenTable, isKernel: (address: bigint) => boolean) {
    this.#image = image;
    this.#view = new DataView(image.buffer, image.byteOffset, image.length);
    this.#tokens = tokens;
    this.#isKernel = isKernel;
  }

  async read(pause: Pause): Promise<NamedPlace[] | undefined> {
    const last = this.#tokens.at & ~7;
    let lists = 0;
    for (let at = last - 16; at >= Math.max(0, last - reachBytes); at -= 8) {
      if ((at & 0xffff8) === 0) await pause();
      const count = this.#view.getUint32(at, true);
      if (count < fewest || count > most || this.#view.getUint32(at + 4, true) !== 0) continue;
      if (at + 8 + 2 * count > last) continue;
      await pause();
      if (!this.#looksRight(at + 8)) continue;
      if (lists++ >= maxLists) break;
      const starts = await this.#starts(at + 8, count, pause);
      const addresses = starts && this.#addresses(at, count);
      if (addresses) return this.#named(starts, addresses, pause);
    }
    return undefined;
  }

  #looksRight(names: number): boolean {
    let at = names;
    for (let n = 0; n < trialSymbols; n++) {
      const [start, length] = this.#entry(at);
      if (length < 1 || length > maxNameTokens || start + length > this.#tokens.at) return false;
      const text = this.#tokens.expand(start, length);
      if (!types.test(text.charAt(0)) || !plainName.test(text.slice(1))) return false;
      at = start + length;
    }
    return true;
  }

  /** Where each packed name begins, if the marks that follow the names agree. */
  async #starts(names: number, count: number, pause: Pause): Promise<Uint32Array | undefined> {
    const starts = new Uint32Array(count);
    let at = names;
    for (let n = 0; n < count; n++) {
      if ((n & 4095) === 0) await pause();
      starts[n] = at;
      const [start, length] = this.#entry(at);
      at = start + length;
      if (at >= this.#tokens.at) return undefined;
    }
    const markers = (at + 7) & ~7;
    for (let n = 0; n < count; n += perMarker) {
      const place = markers + 4 * (n / perMarker);
      if (place + 4 > this.#image.length) return undefined;
      if (this.#view.getUint32(place, true) !== (starts[n] ?? 0) - names) return undefined;
    }
    return starts;
  }

  /** Before the count of names up to Linux 6.3, and after all tables since. */
  #addresses(count: number, symbols: number): ((n: number) => bigint) | undefined {
    const bytes = (4 * symbols + 7) & ~7;
    const after = (this.#tokens.end + 7) & ~7;
    return this.#offsets(count - 8 - bytes, count - 8, symbols) ?? this.#offsets(after, after + bytes, symbols);
  }

  #offsets(offsets: number, basePlace: number, symbols: number): ((n: number) => bigint) | undefined {
    if (offsets < 0 || basePlace + 8 > this.#image.length) return undefined;
    const base = this.#view.getBigUint64(basePlace, true);
    if (!this.#isKernel(base)) return undefined;
    const raw = (n: number) => this.#view.getInt32(offsets + 4 * n, true);
    let negative = 0;
    for (let n = 0; n < symbols; n++) if (raw(n) < 0) negative++;
    // Kernels with per-processor variables at fixed offsets keep those as they are and all others as -1 - offset.
    const isSplit = negative > symbols / 2;
    return (n) => {
      const value = raw(n);
      if (!isSplit) return BigInt.asUintN(64, base + BigInt(value >>> 0));
      return value >= 0 ? BigInt(value) : BigInt.asUintN(64, base - 1n - BigInt(value));
    };
  }

  async #named(starts: Uint32Array, addressOf: (n: number) => bigint, pause: Pause): Promise<NamedPlace[]> {
    const places: NamedPlace[] = [];
    for (let n = 0; n < starts.length; n++) {
      if ((n & 511) === 0) await pause();
      const text = this.#tokens.expand(...this.#entry(starts[n] ?? 0));
      const type = text.charAt(0);
      const address = addressOf(n);
      const name = text.slice(1);
      if (!wanted.test(type) || !plainName.test(name) || !this.#isKernel(address)) continue;
      places.push({ name, address, size: 0, local: type >= 'a' });
    }
    return places;
  }

  /** Where the tokens of a name are, and how many: up to 127 in one byte, or more in two. */
  #entry(at: number): readonly [start: number, length: number] {
    const first = this.#image[at] ?? 0;
    return first < 0x80 ? [at + 1, first] : [at + 2, (first & 0x7f) | ((this.#image[at + 1] ?? 0) << 7)];
  }
}
