/** Somebody who writes packets into a file. */
export interface CaptureSource {
  start(path: string): Promise<RunningCapture>;
}

export interface RunningCapture {
  stop(): Promise<void>;
  /** The real time of a packet, from the time that stands in the file, where that is another one. */
  wallMs?(stampMs: number): number;
  /** Calls back, with the reason, if it ends without having been stopped. */
  onEnd?(listener: (reason: string) => void): void;
}
