/** Memory as a debugger sees it: neither reading nor writing disturbs the machine. */
export interface MemoryCapability {
  /** The address spaces, the first being the default: what the processor sees now. */
  readonly spaces: readonly MemorySpace[];
  peek(space: string, address: bigint, length: number): Promise<Uint8Array>;
  poke(space: string, address: bigint, bytes: Uint8Array): Promise<void>;
  readonly freeze?: MemoryFreeze;
  /** How numbers lie in it now; little unless told. */
  readonly bigEndian?: boolean;
}

export interface MemorySpace {
  readonly name: string;
  readonly size: bigint;
  readonly description: string;
  readonly writable: boolean;
}

/** Bytes that keep their value whatever the program writes there. */
export interface MemoryFreeze {
  readonly frozen: readonly FrozenBytes[];
  /** Writes the bytes and holds them from now on, in the default space. */
  hold(address: bigint, bytes: Uint8Array): Promise<FrozenBytes>;
  /** Rejects with the ids there are. */
  release(id: number): Promise<void>;
}

export interface FrozenBytes {
  readonly id: number;
  readonly address: bigint;
  readonly bytes: Uint8Array;
}
