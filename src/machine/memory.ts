/** Memory as a debugger sees it: neither reading nor writing disturbs the machine. */
export interface MemoryCapability {
  /** The address spaces, the first being the default: what the processor sees now. */
  readonly spaces: readonly MemorySpace[];
  peek(space: string, address: bigint, length: number): Promise<Uint8Array>;
  poke(space: string, address: bigint, bytes: Uint8Array): Promise<void>;
}

export interface MemorySpace {
  readonly name: string;
  readonly size: bigint;
  readonly description: string;
  readonly writable: boolean;
}
