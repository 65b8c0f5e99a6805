import type { Stop } from './state.ts';

/** Run control: only `run` and `step` let emulated time pass. */
export interface ControlCapability {
  run(limits: RunLimits, signal: AbortSignal): Promise<Stop>;
  pause(): Promise<Stop>;
  /**
   * Holds a running machine still so that several reads see one moment. The answer lets it go on.
   * Not a stop: the machine stays `RUNNING` for everybody who asks.
   */
  hold(): Promise<() => void>;
}

export interface RunLimits {
  readonly cycles?: number;
  readonly wallMs: number;
}
