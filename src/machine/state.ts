import type { SourceLine } from './addresses.ts';

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
  readonly breakpoint?: StoppingBreakpoint;
  /** Of several steps those that were made, where something ended them. */
  readonly steps?: number;
  /** What stopped it, exactly, where the machine can tell. */
  readonly event?: StopEvent;
}

export interface StoppingBreakpoint {
  readonly id: number;
  readonly type: string;
  readonly group?: string;
  /** Of one that is for one of the machine's `processors` alone. */
  readonly cpu?: string;
  /** The value of its expression. */
  readonly logged?: bigint;
  /** The name of the snapshot that was saved. */
  readonly snapshot?: string;
}

/** What happened, to the machine's smallest unit of time. The machine itself may have gone on to the end of the instruction. */
export interface StopEvent {
  /** In cycles or instructions, as the machine counts; left out where it cannot tell. */
  readonly time?: number;
  /** Where the beam was then. */
  readonly beam?: Beam;
  /** One of the machine's `processors`, if it was not its own. */
  readonly cpu?: string;
  /** Of the instruction that did it; before one that has not run yet, of that one. */
  readonly pc?: bigint;
  readonly instruction?: string;
  /** What it was written as. */
  readonly source?: SourceLine;
  readonly access?: StopAccess;
  readonly collision?: {
    readonly type: string /** Those whose bit was set now, one bit each. */;
    readonly sprites: number;
  };
  readonly interrupt?: StopInterrupt;
}

/** Where the picture is being drawn. */
export interface Beam {
  readonly frame: number;
  readonly line: number;
  /** Of the line. */
  readonly cycle: number;
}

export interface StopAccess {
  /** `access`: read or written, the machine cannot tell. */
  readonly kind: 'read' | 'write' | 'access';
  /** Of the first byte. */
  readonly address: bigint;
  /** What answered at this address then. */
  readonly space: string;
  readonly value: bigint;
  /** What was there before a write. */
  readonly old?: bigint;
  readonly bytes: number;
  /** Where a chip answered. */
  readonly chip?: { readonly name: string; readonly register: number };
}

export interface StopInterrupt {
  readonly line: string;
  /** Who asked for it, where that can be told. */
  readonly source?: string;
  /** Where the program will go on. */
  readonly interrupted: bigint;
  /** The same in the machine's own notation, where the address alone does not tell its segment. */
  readonly place?: string;
}

/** Everything the state line says. */
export interface Status {
  readonly state: ExecutionState | LinkState;
  /** It passes without anybody's doing, such as the moment between off and on again. */
  readonly passes?: boolean;
  /** Where execution stands, in the machine's own notation and with its symbol: `$C120 irq_score+2`. */
  readonly where?: string;
  readonly stop?: Stop;
  /** The same in numbers, where the machine can tell while it runs. */
  readonly now?: { readonly time: number; readonly pc: bigint; readonly beam?: Beam };
  /** Emulated time, or time since the start for machines that run by themselves. */
  readonly time?: string;
  readonly notes?: readonly string[];
}
