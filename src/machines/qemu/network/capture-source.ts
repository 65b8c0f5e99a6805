/** Somebody who writes packets into a file. */
export interface CaptureSource {
  start(path: string): Promise<RunningCapture>;
}

export interface RunningCapture {
  stop(): Promise<void>;
  /** The real time of a packet, from the time that stands in the file. */
  wallMs(stampMs: number): number;
  /** The file is left with times that are not real ones. */
  readonly needsRestamp: boolean;
}
