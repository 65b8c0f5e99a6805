/** What a call of the target to its host comes to: a value, and for -1 the number of an error. */
export interface HostAnswer {
  readonly value: number;
  readonly error?: number;
}

/** Memory of the target as it called. */
export type TargetMemory = (address: bigint, length: number) => Promise<Uint8Array>;

/** Answers calls of the target to its host (`Fwrite,…`), for which it is stopped until then. */
export interface TargetHost {
  answer(call: string, memory: TargetMemory): Promise<HostAnswer>;
  /** The answer is about to set the target going again. */
  resumed(): void;
  /** The target has ended itself. */
  ended(code: number): void;
}
