import type { CodePlace } from './functions.ts';

/** Execution written down instruction by instruction. */
export interface TraceCapability {
  readonly status: TraceStatus;
  /** Begins a new trace; the last one is forgotten. Nothing is written while the machine is stopped. */
  start(request: TraceRequest): Promise<TraceStatus>;
  /** What was traced stays readable. */
  stop(): Promise<TraceStatus>;
  /** Entries from number `from` on. Numbers start at 0 and go on when old entries are dropped. */
  read(from: number, limit: number): Promise<TracePage>;
}

export interface TraceRequest {
  /** In the condition language; looked at before each instruction. */
  readonly condition?: string | undefined;
  /** Only instructions from here to `last`. */
  readonly first?: bigint | undefined;
  readonly last?: bigint | undefined;
  /** When it is full: drop the oldest, or write no more. */
  readonly whenFull: 'drop-oldest' | 'stop';
  readonly maxEntries?: number | undefined;
  readonly maxBytes: number;
}

export interface TraceStatus {
  readonly active: boolean;
  /** Written so far, kept or not. */
  readonly total: number;
  /** No longer kept. */
  readonly dropped: number;
  readonly capacity: number;
  /** True when a trace that stops when it is full was. */
  readonly full: boolean;
}

export interface TracePage {
  readonly entries: readonly TraceEntry[];
  readonly next: number;
}

/** The machine as it was before an instruction. */
export interface TraceEntry extends CodePlace {
  readonly seq: number;
  readonly time: number;
  readonly text: string;
  /** Registers that are not what they were in the entry before; all of them in the first of a page. */
  readonly registers: readonly TracedRegister[];
}

export interface TracedRegister {
  readonly name: string;
  readonly value: number;
  readonly bits: number;
}
