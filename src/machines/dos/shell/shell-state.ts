/** A batch file under way. */
export interface BatchFrame {
  readonly lines: readonly string[];
  next: number;
  /** %0, %1 … before SHIFT. */
  readonly parameters: readonly string[];
  shifted: number;
  /** What goes on when it has ended: the rest of a FOR that called it, commands typed after it. */
  readonly after: readonly PendingCommand[];
  /** Whether lines were shown before it began, as they are again after it. */
  readonly echo: boolean;
}

/** A command with where its input comes from and its output goes. */
export interface PendingCommand {
  readonly text: string;
  readonly input?: string;
  readonly output?: string;
  readonly append?: boolean;
  /** Pipes and redirections are still in the text. */
  readonly whole?: boolean;
  /** One of those that FOR makes: shown, as a line of a batch file is. */
  readonly isShown?: boolean;
  /** A file between two commands of a pipe, deleted after its reader. */
  readonly temporary?: string;
}

/** How far it is with a key that it waits for. */
export interface KeyWait {
  step: 'before' | 'key' | 'after';
}

/** What the command interpreter is in the middle of when it has to wait. */
export type Job =
  | { readonly kind: 'pause'; readonly key: KeyWait }
  | { readonly kind: 'terminateBatch' }
  | { readonly kind: 'date' }
  | { readonly kind: 'time' }
  | { readonly kind: 'label' | 'deleteLabel'; readonly drive: number }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'erase'; readonly paths: readonly string[] }
  | {
      /** The input of a filter is being read. */
      readonly kind: 'gather';
      readonly filter:
        | {
            readonly name: 'find';
            readonly text: string;
            readonly inverts: boolean;
            readonly counts: boolean;
            readonly numbers: boolean;
            readonly folds: boolean;
          }
        | { readonly name: 'sort'; readonly reverses: boolean; readonly column: number }
        | { readonly name: 'more' };
      /** Still to be read; with none, standard input. */
      readonly files: readonly string[];
      readonly read: readonly { readonly name: string; readonly text: string }[];
      /** Entry of the system file table, -1 while none is open. */
      handle: number;
      readonly text: string;
    }
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  | { readonly kind: 'more'; readonly lines: string[]; shown: number }
  | {
      readonly kind: 'choice';
      readonly keys: string;
      /** Whether capitals are others than small letters. */
      readonly isExact: boolean;
      readonly fallback: number;
      /** Timer ticks at which the fallback is taken, or -1. */
      readonly until: number;
    }
  | { readonly kind: 'page'; lines: string[]; shown: number; readonly key: KeyWait }
  | {
      readonly kind: 'dir';
      readonly switches: ReadonlySet<string>;
      readonly drive: number;
      /** Patterns of the folders to be listed, and how many have been. */
      readonly folders: readonly string[];
      readonly listed: number;
      /** What has not been put out yet. */
      readonly lines: string[];
      readonly files: number;
      readonly bytes: number;
    }
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

/** One level of the command interpreter: the first, one for INT 2Eh, or one that COMMAND.COM started. */
export interface ShellContext {
  /** ss:sp of the INT 2Eh that it works for, or -1. */
  readonly stack: number;
  /** The process that called. */
  readonly caller: number;
  /** The process whose handles and variables it uses, and that process's saved stack before. */
  readonly process: number;
  readonly savedStack: number;
  /** Whether it has a prompt when it has nothing else to do. */
  readonly interactive: boolean;
  left: boolean;
  batches: BatchFrame[];
  pending: PendingCommand[];
  job: Job | undefined;
  prompted: boolean;
  /** The command whose redirections are in force. */
  active: PendingCommand | undefined;
  /** Entries of the handle table before redirection. */
  savedInput: number;
  savedOutput: number;
  /** What the active command has put out for a file. */
  printed: string;
  running: boolean;
  /** The active command has run, and only what restoreHandles does is left. */
  ending: boolean;
}

export interface ShellState {
  contexts: ShellContext[];
  echo: boolean;
  errorLevel: number;
  temporaries: number;
  /** Lines typed before, for the editing keys. */
  lastLine: number[];
}

type ContextOrigin = Pick<ShellContext, 'stack' | 'caller' | 'process' | 'savedStack' | 'interactive'>;

export function newContext(origin: ContextOrigin, commands: readonly string[]): ShellContext {
  return {
    ...origin,
    left: false,
    batches: [],
    pending: commands.map((text) => ({ text, whole: true })),
    job: undefined,
    prompted: false,
    active: undefined,
    savedInput: -1,
    savedOutput: -1,
    printed: '',
    running: false,
    ending: false,
  };
}
