import { pauses } from '../../../formats/elf/pause.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import { coverage, type TableScheme } from '../debug/paging/table-scheme.ts';
import type { Target } from '../debug/target.ts';

const pageBytes = 4096;
const pageBits = 12n;
/** 32 MiB: no list that is worth showing takes as much. */
const maxPages = 8192;
const maxMs = 20_000;

/**
 * The memory of a kernel as its own page tables map it, whatever the processor is doing. For those at rest, while the
 * stub takes physical addresses; pages are read once.
 */
export class KernelMemory {
  readonly #target: Target;
  readonly #scheme: TableScheme;
  readonly #pages = new Map<bigint, Uint8Array | undefined>();
  readonly #physicalOf = new Map<bigint, bigint | undefined>();

  readonly #pause = pauses();
  readonly #ends = performance.now() + maxMs;

  constructor(target: Target, scheme: TableScheme) {
    this.#target = target;
    this.#scheme = scheme;
  }

  /** Undefined where a part of it is not mapped. */
  async read(address: bigint, length: number): Promise<Uint8Array | undefined> {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const at = BigInt.asUintN(64, address + BigInt(done));
      const page = await this.#page(at >> pageBits);
      if (!page) return undefined;
      const from = Number(at & BigInt(pageBytes - 1));
      const count = Math.min(length - done, pageBytes - from);
      bytes.set(page.subarray(from, from + count), done);
      done += count;
    }
    return bytes;
  }

  async number(address: bigint, bytes: 1 | 2 | 4 | 8): Promise<bigint | undefined> {
    const read = await this.read(address, bytes);
    return read && numberOf(read);
  }

  /** Up to a zero, with what is no plain character as question marks. */
  async text(address: bigint, most: number): Promise<string | undefined> {
    const parts: number[] = [];
    for (let at = address; parts.length < most; ) {
      const count = Math.min(most - parts.length, pageBytes - Number(at & BigInt(pageBytes - 1)));
      const bytes = await this.read(at, count);
      if (!bytes) return parts.length === 0 ? undefined : plain(parts);
      const end = bytes.indexOf(0);
      parts.push(...(end < 0 ? bytes : bytes.subarray(0, end)));
      if (end >= 0) break;
      at += BigInt(count);
    }
    return plain(parts);
  }

  async #page(page: bigint): Promise<Uint8Array | undefined> {
    await this.#pause();
    if (performance.now() > this.#ends) throw tooMuch();
    const known = this.#physicalOf.get(page);
    const physical = known ?? (await this.#translate(page << pageBits));
    if (physical === undefined) return undefined;
    this.#physicalOf.set(page, physical);
    return this.#physicalPage(physical);
  }

  async #physicalPage(address: bigint): Promise<Uint8Array | undefined> {
    if (this.#pages.has(address)) return this.#pages.get(address);
    if (this.#pages.size >= maxPages) throw tooMuch();
    const bytes = await this.#target.glancePhysical(address, pageBytes);
    this.#pages.set(address, bytes);
    return bytes;
  }

  async #translate(address: bigint): Promise<bigint | undefined> {
    const { levels, entryBytes, base } = this.#scheme;
    const reach = coverage(this.#scheme);
    const isHigh = this.#scheme.isSigned ? address >= (1n << 64n) - reach / 2n : address >= base;
    if (!isHigh) return undefined;
    let table = this.#scheme.root;
    for (const [n, { shift, bits }] of levels.entries()) {
      const at = table + BigInt.asUintN(bits, address >> BigInt(shift)) * BigInt(entryBytes);
      const page = await this.#physicalPage((at >> pageBits) << pageBits);
      if (!page) return undefined;
      const from = Number(at & BigInt(pageBytes - 1));
      const entry = this.#scheme.entry(numberOf(page.subarray(from, from + entryBytes)), n);
      if (!entry.present || entry.broken !== undefined) return undefined;
      if (entry.leaf) return entry.address | (address & ((1n << BigInt(shift)) - 1n));
      table = entry.address;
    }
    return undefined;
  }
}

function tooMuch(): MachineError {
  return new MachineError('UNAVAILABLE', 'The lists of this kernel are too long to be read, or broken.', [
    advice`Look at its memory with ${call('memory_read')}.`,
  ]);
}

function numberOf(bytes: Uint8Array): bigint {
  let value = 0n;
  for (let n = bytes.length - 1; n >= 0; n--) value = (value << 8n) | BigInt(bytes[n] ?? 0);
  return value;
}

function plain(bytes: readonly number[]): string {
  return Buffer.from(bytes)
    .toString('utf8')
    .replaceAll(/[^\x20-\x7e\u{a0}-\u{10ffff}]/gu, '?');
}
