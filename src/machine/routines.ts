/** Calls of single routines that leave no trace in the machine: unit tests for machine code. */
export interface RoutinesCapability {
  call(request: RoutineCall, signal: AbortSignal): Promise<RoutineResult>;
}

export interface RoutineCall {
  readonly address: bigint;
  /** Those left out are as they are now. */
  readonly registers: Readonly<Record<string, bigint>>;
  /** Written before the call, as the processor would. */
  readonly memory: readonly { readonly address: bigint; readonly bytes: Uint8Array }[];
  /** Interrupts may come meanwhile; else they are masked as far as they can be. */
  readonly interrupts: boolean;
  /** Of a handler: it is entered as an interrupt would and returns from one. */
  readonly asHandler: boolean;
  readonly maxCycles: number;
}

export interface RoutineResult {
  readonly returned: boolean;
  /** Why it did not. */
  readonly reason?: string;
  readonly registers: readonly {
    readonly name: string;
    readonly value: number;
    readonly bits: number;
    readonly flags?: string;
  }[];
  /** Of the machine's time, with what others took of it. */
  readonly cycles: number;
  readonly instructions: number;
  /** Memory that is not what it was before the call, in order; the free part of the stack does not count. */
  readonly changes: readonly MemoryChange[];
}

export interface MemoryChange {
  readonly address: bigint;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}
