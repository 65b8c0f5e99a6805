/** Page tables as the processor would read them. */
export interface PagingCapability {
  /** What becomes of a virtual address, step by step. */
  walk(address: bigint): Promise<PageWalk>;
  /** Mapped ranges in rising order from an address on, or only those that lead to one physical address. */
  ranges(query: RangeQuery): Promise<MappedRanges>;
}

export interface PageWalk {
  readonly address: bigint;
  /** `4-level x86 tables at 0x1000 (cr3)`, or why there are none. */
  readonly scheme: string;
  readonly steps: readonly WalkStep[];
  /** Undefined where the address leads nowhere. */
  readonly physical: bigint | undefined;
  /** Of the page; undefined where it leads nowhere. */
  readonly page: MappedPage | undefined;
  /** Why it leads nowhere. */
  readonly fault: string | undefined;
}

export interface WalkStep {
  /** `PML4[511]`. */
  readonly name: string;
  /** Physical, where the entry lies. */
  readonly at: bigint;
  readonly value: bigint;
  /** What its bits say. */
  readonly meaning: string;
}

export interface Access {
  readonly user: boolean;
  readonly write: boolean;
  readonly execute: boolean;
}

export interface MappedPage extends Access {
  readonly bytes: bigint;
}

export interface RangeQuery {
  readonly from: bigint;
  readonly limit: number;
  readonly physical?: bigint;
}

export interface MappedRange extends Access {
  readonly first: bigint;
  readonly last: bigint;
  readonly physical: bigint;
}

export interface MappedRanges {
  readonly scheme: string;
  readonly ranges: readonly MappedRange[];
  /** Where to go on; undefined when these are all. */
  readonly next: bigint | undefined;
}
