import type { Access } from '../../../../machine/paging.ts';

/** One level of tables, from the root on. */
export interface TableLevel {
  /** What manuals call its entries: `PML4`, `level 2`. */
  readonly name: string;
  /** The lowest bit of the address that chooses its entries, and how many do. */
  readonly shift: number;
  readonly bits: number;
}

/** What an entry says. */
export interface TableEntry {
  readonly present: boolean;
  /** Maps memory instead of leading to another table. */
  readonly leaf: boolean;
  /** Physical: of the table, or of the page with the low bits of the address still to come. */
  readonly address: bigint;
  readonly access: Access;
  /** Its bits in words. */
  readonly words: readonly string[];
  /** What is wrong with it, of one the processor refuses although it is present. */
  readonly broken?: string;
}

/** The tables that are in force for a part of the addresses. */
export interface TableScheme {
  readonly title: string;
  readonly root: bigint;
  readonly entryBytes: 4 | 8;
  readonly levels: readonly TableLevel[];
  /** The lowest address that these tables translate; they reach as far as their first level does. */
  readonly base: bigint;
  /** The upper half of what they translate is the upper end of all addresses. */
  readonly isSigned: boolean;
  entry(value: bigint, level: number): TableEntry;
}

/** Either tables, or why addresses go to memory as they are; `refuse` says why an address has no meaning at all. */
export interface Translation {
  readonly schemes: readonly TableScheme[];
  readonly without: string;
  refuse(address: bigint): string | undefined;
}

export const everything: Access = { user: true, write: true, execute: true };

export function bitsOf(value: bigint, high: number, low: number): bigint {
  return BigInt.asUintN(high - low + 1, value >> BigInt(low));
}

export function isSet(value: bigint, bit: number): boolean {
  return ((value >> BigInt(bit)) & 1n) === 1n;
}

/** The part of a value between two bits, left where it is. */
export function field(value: bigint, high: number, low: number): bigint {
  return bitsOf(value, high, low) << BigInt(low);
}

export function coverage({ levels }: TableScheme): bigint {
  const [top] = levels;
  return top ? 1n << BigInt(top.shift + top.bits) : 0n;
}
