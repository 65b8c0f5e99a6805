/** What a machine with a processor is doing. `OFF`: it has ended and only its remains can be read. */
export type ExecutionState = 'RUNNING' | 'PAUSED' | 'BREAKPOINT' | 'ERROR' | 'RESET' | 'OFF';

/** What a machine is doing that we only see through a wire. */
export type LinkState = 'LINK UP' | 'LINK DOWN' | 'CONNECTING';

/** Why execution is not running any more. Numbered per machine, so that no stop can be taken for another. */
export interface Stop {
  readonly seq: number;
  /** In words, as the state line shows it: `breakpoint 5, raster line 100`. */
  readonly reason: string;
  readonly cause: 'breakpoint' | 'step' | 'halt' | 'fault' | 'limit';
  readonly breakpoint?: { readonly id: number; readonly type: string };
}

/** Everything the state line says. */
export interface Status {
  readonly state: ExecutionState | LinkState;
  /** Where execution stands, in the machine's own notation and with its symbol: `$C120 irq_score+2`. */
  readonly where?: string;
  readonly stop?: Stop;
  /** Emulated time, or time since the start for machines that run by themselves. */
  readonly time?: string;
  readonly notes?: readonly string[];
}

/** The first line of every answer. */
export function stateLine(handle: string, status: Status): string {
  const head = `${handle} ${status.state}${status.where ? ` at ${status.where}` : ''}`;
  const stop = status.stop && `stop ${status.stop.seq}: ${status.stop.reason}`;
  return [head, stop, status.time, ...(status.notes ?? [])].filter(Boolean).join(' · ');
}
