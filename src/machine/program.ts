/** Loading and starting programs. */
export interface ProgramCapability {
  /** What `load` understands: `prg`, `asm`, `basic` … The first is what bytes without a name are. */
  readonly formats: readonly string[];
  load(program: ProgramSource, start: boolean, signal: AbortSignal): Promise<LoadedProgram>;
}

export interface ProgramSource {
  readonly format: string;
  readonly bytes: Uint8Array;
  readonly name: string;
}

export interface LoadedProgram {
  /** Where it lies; missing while it lies nowhere but on a drive. */
  readonly firstAddress?: bigint;
  readonly lastAddress?: bigint;
  readonly startAddress?: bigint;
  /** In a line each: symbols defined, warnings. */
  readonly notes: readonly string[];
}
