import type { CodePlace } from './functions.ts';

/** Which code ran between two moments. */
export interface CoverageCapability {
  readonly runs: readonly CoverageRun[];
  /** Begins a run; the same name begins it anew. Several may go on at once. */
  start(name: string): Promise<CoverageRun>;
  /** Rejects with the names there are. */
  stop(name: string): Promise<CoverageRun>;
  /** What ran since its start, up to its end or now. Rejects with the names there are. */
  read(name: string): Promise<readonly CoveredPiece[]>;
  delete(name: string): Promise<void>;
  /** What memory is used for, as far as that is known; absent where only code is recorded. */
  map?(signal: AbortSignal): Promise<readonly MemoryUse[]>;
}

/** A range of memory that is used in the same way throughout. */
export interface MemoryUse {
  readonly first: CodePlace;
  readonly last: CodePlace;
  /** Not the RAM there, but what answers in its place. */
  readonly isOverRam: boolean;
  readonly isCode: boolean;
  readonly isRead: boolean;
  readonly isWritten: boolean;
}

export interface CoverageRun {
  readonly name: string;
  readonly active: boolean;
  /** Emulated time, in the machine's smallest unit. */
  readonly from: number;
  readonly to: number;
  /** Of the two times, where it is not one that the machine counts. */
  readonly unit?: string;
  /** What may be missing, one per line. */
  readonly notes?: readonly string[];
}

/** An instruction that ran. */
export interface CoveredPiece extends CodePlace {
  /** Tells codes that one address has had apart; the same in every run. */
  readonly id: number;
  readonly bytes: number;
  /** How often; absent where that is not counted. */
  readonly executions?: number;
  /** It had never run before this run began, or in no earlier run where nothing is recorded between runs. */
  readonly isNew: boolean;
}

/** An instruction and how often it has run since the machine was switched on. */
export interface CountedPiece extends CodePlace {
  readonly id: number;
  readonly bytes: number;
  readonly executions: number;
}
