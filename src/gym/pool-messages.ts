import type { EpisodeFacts } from './environment.ts';
import type { SharedSteps } from './step-buffers.ts';
import type { VectorSpec } from './vector-spec.ts';

/** What a thread begins with. */
export interface PoolStart {
  readonly spec: VectorSpec;
  readonly shared: SharedSteps;
  readonly first: number;
  readonly count: number;
  readonly template: Uint8Array | undefined;
}

/** One environment at one moment. */
export interface SavedEpisode {
  /** The machine. */
  readonly file: Uint8Array;
  readonly facts: EpisodeFacts & { readonly hasEnded: boolean };
  /** What was seen last: a picture is made by time that passes, and none does when a machine is restored. */
  readonly observation: Uint8Array;
}

/** An environment that begins anew, and the state of its chance where that does as well. */
export type Beginning = readonly [index: number, random: number | undefined];

export type PoolOrder = { readonly id: number } & (
  | {
      readonly type: 'step';
      readonly indexes: readonly number[];
      /** Say of each when it is ready. */
      readonly each: boolean;
    }
  | { readonly type: 'reset'; readonly which: readonly Beginning[] }
  | { readonly type: 'save'; readonly index: number }
  | { readonly type: 'restore'; readonly index: number; readonly saved: SavedEpisode }
  | { readonly type: 'close' }
);

/** The first, with id 0, says that the thread is ready. */
export interface PoolAnswer {
  readonly id: number;
  /** One environment of several; more will come. */
  readonly ready?: number;
  readonly saved?: SavedEpisode;
  readonly problem?: string;
}
