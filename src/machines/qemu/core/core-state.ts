import type { TargetDescription } from '../../../links/gdb/target-description.ts';
import type { CrashLog } from '../debug/crash/qemu-crash.ts';

/** One processor as it was. */
export interface CoreProcessor {
  /** The registers that come together, one after the other. */
  readonly general: Uint8Array;
  /** All others, by number. */
  readonly others: ReadonlyMap<number, Uint8Array>;
  /** Of a PC: what QEMU's monitor says to `info registers`. */
  readonly monitor: string;
}

export interface CorePiece {
  readonly physical: bigint;
  readonly bytes: Uint8Array;
}

/** What a core file tells of the machine beside its memory. */
export interface CoreState {
  /** The name after `qemu-system-`. */
  readonly arch: string;
  readonly description: TargetDescription;
  readonly processors: readonly CoreProcessor[];
  /** What devices held that say why it died: bytes by physical address. */
  readonly pieces: readonly CorePiece[];
  /** The one in question when the file was written. */
  readonly selected: number;
  readonly log: CrashLog;
  /** The guest's time, where it is known. */
  readonly timeMs: number | undefined;
  /** All that the processors had: only files that were written here have that. */
  readonly isWhole: boolean;
}
