import type { ProgramSource } from './program.ts';

/** A machine of our own beside an emulator of others: both run the same program, and are held against each other. */
export interface TwinCapability {
  /** The kind of ours. */
  readonly kind: string;
  /** With a program from power-up on, without one from where the last comparison has ended. */
  compare(request: TwinRequest, signal: AbortSignal): Promise<TwinReport>;
}

export interface TwinRequest {
  readonly program?: ProgramSource;
  readonly frames: number;
  /** What is compared. */
  readonly picture: boolean;
  readonly memory: boolean;
  readonly processor: boolean;
  /** Addresses whose bytes may differ. */
  readonly ignored: readonly { readonly first: number; readonly last: number }[];
  readonly wallMs: number;
}

export interface TwinReport {
  /** Since the program was started. */
  readonly frame: number;
  /** Why it ended here; undefined where all that was asked for was compared. */
  readonly ended?: string;
  readonly difference?: TwinDifference;
  readonly notes: readonly string[];
}

export interface TwinDifference {
  /** The first in which something differs. */
  readonly frame: number;
  readonly pixels: number;
  /** The first that the beam drew. */
  readonly pixel?: TwinPixel;
  /** How many bytes, and the first of them. */
  readonly bytes: number;
  readonly cells: readonly { readonly address: number; readonly ours: number; readonly theirs: number }[];
  /** The first instruction before which the processors differ. */
  readonly instruction?: TwinInstruction;
}

export interface TwinPixel {
  readonly x: number;
  readonly y: number;
  readonly line: number;
  readonly cycle: number;
  readonly ours: number;
  readonly theirs: number;
}

export interface TwinInstruction {
  /** Since power-up, as the emulator counts. */
  readonly time: number;
  readonly line: number;
  readonly cycle: number;
  readonly theirs: string;
  /** What ours is about to do in the same cycle. */
  readonly ours: string;
  /** What both did before it, the last one last. */
  readonly before: readonly string[];
}
