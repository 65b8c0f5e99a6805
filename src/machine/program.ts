/** Loading and starting programs. */
export interface ProgramCapability {
  /** What `load` understands: `prg`, `asm`, `basic` … */
  readonly formats: readonly string[];
  load(program: ProgramSource, start: boolean, signal: AbortSignal): Promise<LoadedProgram>;
}

export interface ProgramSource {
  readonly format: string;
  readonly bytes: Uint8Array;
  readonly name: string;
}

export interface LoadedProgram {
  readonly firstAddress: number;
  readonly lastAddress: number;
  readonly startAddress?: number;
  /** In a line each: symbols defined, warnings. */
  readonly notes: readonly string[];
}
