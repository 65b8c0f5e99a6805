/** When which line came out of a system since it was switched on, reset or put back to a snapshot. */
export interface BootCapability {
  read(): BootLog;
  /** How often that was: another number means that what ran before runs no more. */
  readonly starts: number;
}

export interface BootLog {
  readonly lines: readonly BootLine[];
  /** More came than are kept. */
  readonly isCut: boolean;
}

export interface BootLine {
  readonly console: string;
  /** As it came, without the line end. */
  readonly bytes: Uint8Array;
  /** Since the start, by the guest's clock, which stops while the guest does. */
  readonly guestMs: number;
  /** The same by the clock on the wall. */
  readonly hostMs: number;
  /** Instructions that had run by then, where they are counted. */
  readonly instructions?: number;
}
