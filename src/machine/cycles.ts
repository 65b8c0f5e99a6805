import type { Beam } from './state.ts';

/** Emulated time as a stopwatch measures it, and the interrupts on the way. */
export interface CyclesCapability {
  /** Cycles since the machine was switched on. */
  readonly now: number;
  /** Cycles in a raster line and in a frame, on machines that have them. */
  readonly spans?: { readonly line: number; readonly frame: number } | undefined;
  /** Sets the stopwatch to zero; with a name, a checkpoint beside it. */
  mark(name?: string): void;
  /** Undefined while there is no mark, or it lies in the future because the machine was taken back. */
  readonly sinceMark: number | undefined;
  /** Those with a name that do not lie in the future, in the order they were set. */
  readonly checkpoints: readonly Checkpoint[];
  /** A log of interrupts, kept while it is switched on; switching it on begins a new one. */
  readonly interrupts: InterruptLog;
  /** Where the picture is being drawn, on machines with one beam that time hangs on. */
  readonly beam?: RasterBeam;
}

/** The beam, and how long a line and a frame are. */
export interface RasterBeam extends Beam {
  readonly linesPerFrame: number;
  readonly cyclesPerLine: number;
}

export interface Checkpoint {
  readonly name: string;
  readonly cycle: number;
}

export interface InterruptLog {
  readonly isOn: boolean;
  switch(on: boolean): void;
  /** The newest so many, oldest first. */
  readonly entries: readonly InterruptEntry[];
  /** All since it was switched on, kept or not. */
  readonly total: number;
}

export interface InterruptEntry {
  /** When the handler's first instruction was about to run. */
  readonly cycle: number;
  readonly type: string;
  /** Where the picture was, or what else tells the moment: `line 100, cycle 12`. */
  readonly place: string;
  /** Who asked for it: `vic2 raster`, `cia1 timer A`. */
  readonly source: string;
  readonly interrupted: bigint;
  readonly handler: bigint;
}
