/** One task: words for a model, a way for a script, and a checker that looks at the machine and the answer. */
export interface Task {
  /** What a model is told. It has the tools of the server and nothing else. */
  readonly prompt: string;
  /** More calls than this are too many. */
  readonly mostCalls?: number;
  /** Puts files that the task needs into the folder that the server may use. */
  prepare?(folder: string): Promise<void>;
  /** A way through the tools that a model could find; the answer as a model would give it. */
  solve(agent: Agent): Promise<string>;
  /** What is wrong with the outcome; nothing when the task is done. Machines still run while it is called. */
  check(outcome: Outcome): Promise<string | undefined> | string | undefined;
}

export interface Agent {
  /** The folder with the files of the task. */
  readonly folder: string;
  /** Calls a tool and returns its text; an error is text too, and is counted. */
  call(tool: string, args?: Record<string, unknown>): Promise<string>;
}

export interface Outcome {
  readonly answer: string;
  readonly folder: string;
  /** As `call`, but not counted. */
  look(tool: string, args?: Record<string, unknown>): Promise<string>;
}

/** Nothing where the text has what is wanted; else what it has instead. */
export function wants(text: string, wanted: RegExp): string | undefined {
  return wanted.test(text) ? undefined : `${wanted} is not in: ${text.slice(0, 300)}`;
}

/** The first group of a pattern in a text, or nothing. */
export function found(text: string, pattern: RegExp): string {
  return pattern.exec(text)?.[1] ?? '';
}

/** Options of a console with a shell behind it. */
export const shellConsole = { command: ['socat', '-', 'EXEC:busybox sh,pty,setsid,ctty,stderr,sane'] } as const;
