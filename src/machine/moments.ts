import type { Beam, ExecutionState } from './state.ts';

/** What happens inside a machine while it runs, for somebody who wants to be told at once. Nothing is worked out for nobody. */
export interface MomentsCapability {
  readonly types: readonly MomentType[];
  /** Calls back with each moment from now on, of the past run again excepted; the answer ends that. */
  watch(wanted: MomentsWanted, listener: (moment: Moment) => void): () => void;
}

/** `state`: the machine has come into another one. */
export type MomentType = 'frame' | 'collision' | 'raster_interrupt' | 'state';

export interface MomentsWanted {
  readonly types: readonly MomentType[];
  /** Of frames only every so many. */
  readonly everyFrames: number;
}

export interface Moment {
  readonly type: MomentType;
  readonly cycle: number;
  readonly beam: Beam;
  /** Of a collision: with what, and the sprites whose bit was set now. */
  readonly collision?: { readonly type: string; readonly sprites: number };
  readonly state?: ExecutionState;
}
