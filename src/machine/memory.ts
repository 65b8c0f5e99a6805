/** Memory as a debugger sees it: neither reading nor writing disturbs the machine. */
export interface MemoryCapability {
  /** The address spaces, the first being the default: what the processor sees now. */
  readonly spaces: readonly MemorySpace[];
  peek(space: string, address: bigint, length: number): Promise<Uint8Array>;
  poke(space: string, address: bigint, bytes: Uint8Array): Promise<void>;
  /** Reads the default space as the processor does, with everything that reading does to chips. */
  touch?(address: bigint, length: number): Promise<void>;
  readonly freeze?: MemoryFreeze;
  readonly finder?: ValueFinder;
  /** How numbers lie in it now; little unless told. */
  readonly bigEndian?: boolean;
}

export interface MemorySpace {
  readonly name: string;
  readonly size: bigint;
  readonly description: string;
  readonly writable: boolean;
  /** From here on it only repeats what lies before; searches end there. */
  readonly repeatsFrom?: bigint;
}

/** Finds where a program keeps a number, by how it changes: each step keeps the places that fit. */
export interface ValueFinder {
  readonly search: ValueSearch | undefined;
  /** Every place of the space fits at first; the values there are remembered. */
  start(space: string, bytes: 1 | 2 | 4): Promise<ValueSearch>;
  /** Compares with a value, or with what was there at the last step. Rejects before the first step. */
  narrow(how: Comparison, value: number | undefined): Promise<ValueSearch>;
  /** Places that still fit, with their values now and at the last step. */
  places(from: number, limit: number): Promise<readonly FoundValue[]>;
}

export const comparisons = [
  'equal',
  'unequal',
  'less',
  'greater',
  'changed',
  'unchanged',
  'decreased',
  'increased',
] as const;
export type Comparison = (typeof comparisons)[number];

export interface ValueSearch {
  readonly space: string;
  readonly bytes: 1 | 2 | 4;
  readonly steps: number;
  readonly left: number;
}

export interface FoundValue {
  readonly address: bigint;
  readonly value: number;
  readonly before: number;
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
