import type { AddressCapability } from './addresses.ts';
import type { CpuCapability } from './cpu.ts';
import type { MemoryCapability } from './memory.ts';
import type { PagingCapability } from './paging.ts';
import type { SourceCapability } from './source.ts';
import type { VariablesCapability } from './variables.ts';

/** The processors of a machine by name, where there may be several. Whoever names none means the machine's own `cpu`. */
export interface ProcessorsCapability {
  /** Those there are now. */
  readonly names: readonly string[];
  /** Rejects with the names there are. */
  named(name: string): Promise<Processor>;
}

/** A processor with what it sees. */
export interface Processor {
  readonly cpu: CpuCapability;
  readonly memory: MemoryCapability;
  readonly addresses: AddressCapability;
  readonly paging?: PagingCapability;
  readonly source?: SourceCapability;
  readonly variables?: VariablesCapability;
}
