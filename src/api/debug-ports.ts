/** Protocols in which a debugger can be at a machine beside agents. */
export const debugProtocols = ['gdb', 'dap', 'binmon'] as const;
export type DebugProtocol = (typeof debugProtocols)[number];

export interface DebugPort {
  readonly protocol: DebugProtocol;
  /** Of loopback. */
  readonly port: number;
  /** How many debuggers are connected. */
  readonly clients: number;
}

/** Ports for debuggers of people, one per machine and protocol. */
export interface DebugPorts {
  /** Rejects where the operator does not allow it, the machine cannot, or the port is taken. 0: any free one. */
  open(machine: string, protocol: DebugProtocol, port: number): Promise<DebugPort>;
  /** Rejects with what is open. Debuggers that are connected are cut off. */
  close(machine: string, protocol: DebugProtocol): Promise<void>;
  list(machine: string): readonly DebugPort[] | Promise<readonly DebugPort[]>;
}
