import type { TraceEntry } from './trace.ts';

/** What the machine did before now, found by running its remembered past again: it costs nothing until it is asked for. */
export interface PastCapability {
  /** The last instructions before now, oldest first; fewer when not so many are remembered. */
  instructions(count: number, signal: AbortSignal): Promise<readonly TraceEntry[]>;
  /** Who last read and who last wrote any of these bytes. */
  accesses(address: bigint, length: number, wallMs: number, signal: AbortSignal): Promise<PastAccesses>;
}

export interface PastAccesses {
  readonly write?: PastAccess;
  readonly read?: PastAccess;
  /** The earliest moment that was looked at, and whether nothing older is remembered. */
  readonly since: number;
  readonly isWhole: boolean;
}

export interface PastAccess {
  readonly time: number;
  /** Of the instruction. */
  readonly pc: bigint;
  readonly text: string;
  /** Which of the bytes. */
  readonly address: bigint;
  /** What was there when the instruction had run. */
  readonly value: number;
}
