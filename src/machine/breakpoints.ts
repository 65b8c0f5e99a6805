export interface BreakpointCapability {
  readonly types: readonly BreakpointType[];
  set(spec: BreakpointSpec): Promise<Breakpoint>;
  list(): Promise<readonly Breakpoint[]>;
  /** Rejects with the ids there are. */
  delete(id: number): Promise<void>;
  enable(id: number, enabled: boolean): Promise<void>;
}

/** `exec` before an instruction, `read`, `write` and `change` after the one that touched the memory. */
export type BreakpointType = 'exec' | 'read' | 'write' | 'change';

export interface BreakpointSpec {
  readonly type: BreakpointType;
  readonly address: bigint;
  /** How many bytes are watched, from the address on. */
  readonly length: number;
  readonly condition?: string | undefined;
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
