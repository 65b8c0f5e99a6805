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
  /** What stopped it, exactly, where the machine can tell. */
  readonly event?: StopEvent;
}

/** What happened, to the machine's smallest unit of time. The machine itself may have gone on to the end of the instruction. */
export interface StopEvent {
  /** In cycles or instructions, as the machine counts. */
  readonly time: number;
  /** One of the machine's `processors`, if it was not its own. */
  readonly cpu?: string;
  /** Of the instruction that did it; before one that has not run yet, of that one. */
  readonly pc?: bigint;
  readonly instruction?: string;
  readonly access?: StopAccess;
}

export interface StopAccess {
  readonly kind: 'read' | 'write';
  /** Of the first byte. */
  readonly address: bigint;
  /** What answered at this address then. */
  readonly space: string;
  readonly value: bigint;
  /** What was there before a write. */
  readonly old?: bigint;
  readonly bytes: number;
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
