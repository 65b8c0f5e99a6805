import type { ConfigSys } from './config-sys.ts';

/** RAM in the upper memory area, by segments. */
export interface UpperMemory {
  readonly first: number;
  readonly end: number;
}

/** What is decided when DOS starts. */
export interface DosSetup {
  /** As after DOS=UMB: upper memory is DOS's, in blocks that programs link with function 5803h. */
  readonly upper?: UpperMemory | undefined;
  readonly config?: ConfigSys | undefined;
}
