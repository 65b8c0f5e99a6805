/** What went wrong in a guest, from its processor's own records. */
export interface CrashCapability {
  explain(): Promise<CrashReport>;
  /** Writes memory and registers to a new core file. */
  dump(path: string): Promise<CrashCore>;
}

export interface CrashCore {
  readonly path: string;
  /** Of memory. */
  readonly bytes: number;
}

export interface CrashReport {
  /** One line: what happened, where, to which address. */
  readonly summary: string;
  /** What it is concluded from, in the order of importance. */
  readonly lines: readonly string[];
  /** Of the instruction, if one is to blame. */
  readonly address: bigint | undefined;
  /** Page fault, division error …; undefined when there was no exception. */
  readonly exception: string | undefined;
}
