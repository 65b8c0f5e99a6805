/** Memory as a debugger sees it: neither reading nor writing disturbs the machine. */
export interface MemoryCapability {
  /** The address spaces, the first being the default: what the processor sees now. */
  readonly spaces: readonly MemorySpace[];
  peek(space: string, address: number, length: number): Promise<Uint8Array>;
  poke(space: string, address: number, bytes: Uint8Array): Promise<void>;
}

export interface MemorySpace {
  readonly name: string;
  readonly size: number;
  readonly description: string;
  readonly writable: boolean;
}
