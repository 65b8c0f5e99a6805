import type { IndexedPicture } from './screen.ts';

/** Where the processor's time went, found by running the past again: it costs nothing while the machine runs. */
export interface ProfileCapability {
  /** Of the last so many whole frames. */
  profile(frames: number, signal: AbortSignal): Promise<Profile>;
}

export interface Profile {
  readonly frames: number;
  readonly cycles: number;
  /** Cycles in which another chip had the bus. */
  readonly stolen: number;
  /** Cycles of each instruction, by its address. */
  readonly instructions: readonly { readonly address: bigint; readonly cycles: number }[];
  /** What was running outside all calls seen, with the calls that it made. */
  readonly root: ProfileNode;
  /** Who had each cycle of the last frame: a pixel for a cycle, a number from `owners` as its colour; 0 is the bus of another chip. */
  readonly raster: Omit<IndexedPicture, 'palette'>;
  /** Routines by their number in `raster`; the first is nobody. */
  readonly owners: readonly (RoutineEntry | undefined)[];
}

export interface RoutineEntry {
  readonly address: bigint;
  readonly kind: 'main' | 'call' | 'irq' | 'nmi';
}

/** A routine as called from one place in the tree. */
export interface ProfileNode extends RoutineEntry {
  readonly calls: number;
  /** In the routine itself, and with everything it calls. */
  readonly self: number;
  readonly total: number;
  /** The most that it took with everything in one frame. */
  readonly most: number;
  /** The same of the routine, wherever it was called from. */
  readonly mostOfRoutine: number;
  readonly children: readonly ProfileNode[];
}
