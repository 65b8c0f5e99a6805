import type { Dos } from '../services/dos/dos.ts';
import type { Guest } from '../services/guest.ts';
import type { Shell } from './shell.ts';
import type { ShellContext } from './shell-state.ts';

export interface CommandCall {
  readonly dos: Dos;
  readonly shell: Shell;
  readonly context: ShellContext;
  readonly guest: Guest;
  /** What stands after the name, as it was typed. */
  readonly tail: string;
  readonly words: readonly string[];
  readonly switches: ReadonlySet<string>;
}

/** A command that needs no program. Failures are thrown. */
export interface ShellCommand {
  readonly names: readonly string[];
  run(call: CommandCall): void;
}

/** A failure with the words the user reads. */
export class ShellError extends Error {}
