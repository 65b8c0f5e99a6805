/** Loading and starting programs. */
export interface ProgramCapability {
  /** What `load` understands: `prg`, `asm`, `basic` … The first is what bytes without a name are. */
  readonly formats: readonly string[];
  /** `isWaitedFor`: whoever calls lets time pass afterwards, so no more of it than the start needs. */
  load(program: ProgramSource, start: boolean, signal: AbortSignal, isWaitedFor?: boolean): Promise<LoadedProgram>;
  /** The same on a machine that is switched off and on for it, unless the program is refused. */
  autostart?(program: ProgramSource, start: boolean, signal: AbortSignal): Promise<LoadedProgram>;
}

export interface ProgramSource {
  readonly format: string;
  readonly bytes: Uint8Array;
  readonly name: string;
  /** Which of several programs on a medium or in an archive, counted from 0; the first unless told. */
  readonly index?: number;
}

export interface LoadedProgram {
  /** Where it lies; missing while it lies nowhere but on a drive. */
  readonly firstAddress?: bigint;
  readonly lastAddress?: bigint;
  readonly startAddress?: bigint;
  /** Whether it runs or has run, where it was to be started and the machine can tell; `notes` say more. */
  readonly started?: boolean;
  /** The error with which it has ended already. */
  readonly failure?: string;
  /** One per line: symbols defined, warnings. */
  readonly notes: readonly string[];
}
