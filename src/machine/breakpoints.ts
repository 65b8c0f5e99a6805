export interface BreakpointCapability {
  /** What this machine can stop at. */
  readonly types: readonly string[];
  set(spec: BreakpointSpec): Promise<Breakpoint>;
  list(): Promise<readonly Breakpoint[]>;
  /** Rejects with the ids there are. */
  delete(id: number): Promise<void>;
  enable(id: number, enabled: boolean): Promise<void>;
}

export interface BreakpointSpec {
  /**
   * One of the machine's `types`. `exec` stops before an instruction; `read`, `write` and `change` after the one that
   * touched the memory; `in` and `out` after the one that touched the port; `interrupt` before the first instruction of
   * a handler; `time` at a moment. A machine may have others of its own.
   */
  readonly type: string;
  /** For `in` and `out` a port, for `interrupt` a vector, for `time` a count in the machine's smallest unit. */
  readonly address: bigint;
  /** How many bytes, ports or vectors are watched, from the address on. */
  readonly length: number;
  readonly condition?: string | undefined;
  /** For one of the machine's `processors` alone. */
  readonly cpu?: string | undefined;
  /** Write an event instead of stopping. */
  readonly logOnly: boolean;
  /** Gone after the first stop. */
  readonly temporary: boolean;
}

export interface Breakpoint extends BreakpointSpec {
  readonly id: number;
  readonly enabled: boolean;
  readonly hits: number;
}
