import type { TracedChip } from '../../../machine/frame-trace.ts';
import type { ChipTap } from '../board/chip-tap.ts';

/** Bits of a chip's state that change without an access. */
export interface Signal {
  /** Of the events that it makes. */
  readonly type: string;
  readonly chip: string;
  /** An event when bits appear, or when they go. */
  readonly edge: 'rise' | 'fall';
  bits(): number;
  /** What these bits mean. */
  note(bits: number): string;
}

/** Where a trace can look on one kind of board. */
export interface BoardProbe {
  readonly chips: readonly TracedChip[];
  /** The chip that draws. */
  readonly video: string;
  /** Which of the chips answers at this address, and with which register: `chip << 8 | register`, or -1. */
  locate(address: number): number;
  /** From now on this sees accesses to chips; answers who did before. */
  tap(tap: ChipTap | undefined): ChipTap | undefined;
  readonly signals: readonly Signal[];
  readonly cyclesPerLine: number;
  readonly border: {
    /** As `locate` answers. */
    readonly register: number;
    colourOf(value: number): number;
    /** The colour at the moment. */
    now(): number;
  };
}
