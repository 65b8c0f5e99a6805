import type { Stop } from './state.ts';

/** Run control. On machines that are stopped between calls, only `run` and `step` let emulated time pass. */
export interface ControlCapability {
  /** Runs until one of the limits is reached or something stops the machine. */
  run(limits: RunLimits, signal: AbortSignal): Promise<Stop>;
  pause(): Promise<Stop>;
  step(request: StepRequest, signal: AbortSignal): Promise<Stop>;
  /** `hard` is the power switch: memory is lost. */
  reset(mode: 'soft' | 'hard'): Promise<void>;
  /** Leaves `ERROR` for `PAUSED`, and goes on at another address if there is one. Rejects where there is no error. */
  clearError?(pc?: bigint): Promise<void>;
  /** What reaches the machine meanwhile leaves it in `ERROR`, even where it could run again. */
  keepingError?<Result>(action: () => Promise<Result>): Promise<Result>;
  /** Pictures in a second of emulated time; none on machines that run in real time, whose `run` ends at `wallMs` without stopping them. */
  readonly framesPerSecond?: number;
  /** The end of the frame that is being drawn, or of the run that draws it; none while the machine is stopped. */
  nextFrame?(): Promise<void> | undefined;
  /** Lets time pass from now on without anybody waiting, until something or somebody stops the machine. */
  runFreely?(pace: Pace): Promise<void>;
  /** Carries out what takes the machine's time. One that ran freely before does so again, unless something else stopped it. */
  interlude?<T>(task: () => Promise<T>): Promise<T>;
  /** True when `run` and `step` can go backwards. */
  readonly canRewind: boolean;
  /**
   * Holds a running machine still so that several reads see one moment. The answer lets it go on.
   * Not a stop: the machine stays `RUNNING` for everybody who asks.
   */
  hold(): Promise<() => void>;
}

/** In step with real time, or as fast as it goes. */
export type Pace = 'real' | 'warp';

export interface RunLimits {
  /** Exactly: a machine that counts them stops within an instruction. */
  readonly cycles?: number | undefined;
  readonly frames?: number | undefined;
  /** Stop before the instruction at this address. */
  readonly address?: bigint | undefined;
  /** In the condition language; looked at before each instruction. */
  readonly condition?: string | undefined;
  /** Towards the past: the limits count backwards, breakpoints stop it as well. */
  readonly back?: boolean | undefined;
  /** Real time; reaching it is a stop like any other. */
  readonly wallMs: number;
}

export interface StepRequest {
  /** `over` does not stop inside a subroutine, `out` stops after the return from this one; backwards before the call that began it. */
  readonly kind: 'into' | 'over' | 'out';
  readonly count: number;
  readonly back: boolean;
  /** One of the machine's `processors`, in place of its own; the others run meanwhile where they cannot be kept from it. */
  readonly cpu?: string | undefined;
  readonly wallMs: number;
}
