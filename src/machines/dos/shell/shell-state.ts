/** A batch file under way. */
export interface BatchFrame {
  readonly lines: readonly string[];
  next: number;
  /** %0, %1 … before SHIFT. */
  readonly parameters: readonly string[];
  shifted: number;
}

/** A command with where its input comes from and its output goes. */
export interface PendingCommand {
  readonly text: string;
  readonly input?: string;
  readonly output?: string;
  readonly append?: boolean;
  /** Pipes and redirections are still in the text. */
  readonly whole?: boolean;
  /** A file between two commands of a pipe, deleted after its reader. */
  readonly temporary?: string;
}

/** What the command interpreter is in the middle of when it has to wait. */
export type Job =
  | { readonly kind: 'pause' }
  | { readonly kind: 'terminateBatch' }
  | { readonly kind: 'date' }
  | { readonly kind: 'time' }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'page'; lines: string[]; shown: number }
  | {
      readonly kind: 'copy';
      /** Source and target of each file to come; sources with the same target are joined. */
      files: { readonly source: string; readonly target: string; readonly append: boolean }[];
      /** Entries of the system file table, -1 while none is open. */
      source: number;
      target: number;
      copied: number;
      readonly shown: boolean;
    };

/** One level of the command interpreter: the first, or one that INT 2Eh started. */
export interface ShellContext {
  /** ss:sp of the INT 2Eh, or -1. */
  readonly stack: number;
  /** Of the caller of INT 2Eh. */
  readonly process: number;
  readonly commandStack: number;
  batches: BatchFrame[];
  pending: PendingCommand[];
  job: Job | undefined;
  prompted: boolean;
  /** The command whose redirections are in force. */
  active: PendingCommand | undefined;
  /** Entries of the handle table before redirection. */
  savedInput: number;
  savedOutput: number;
  running: boolean;
}

export interface ShellState {
  contexts: ShellContext[];
  echo: boolean;
  errorLevel: number;
  temporaries: number;
  /** Lines typed before, for the editing keys. */
  lastLine: number[];
  /** Set once a shell that was started for its commands only has none left. */
  finished: boolean;
}

export function newContext(stack: number, process: number, commandStack: number): ShellContext {
  return {
    stack,
    process,
    commandStack,
    batches: [],
    pending: [],
    job: undefined,
    prompted: false,
    active: undefined,
    savedInput: -1,
    savedOutput: -1,
    running: false,
  };
}
