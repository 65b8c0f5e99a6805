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
  /** A program of its own elsewhere: one of that name on a drive comes first. */
  readonly isProgram?: boolean;
  /** Those it knows; without, it looks at them itself. */
  readonly switches?: RegExp;
  /** Its words are files: a drive that they name must be there. */
  readonly onFiles?: boolean;
  /** How many words it takes; without, it looks at them itself. */
  readonly most?: number;
  run(call: CommandCall): void;
}

/** Refuses what a command does not take. */
export function checkCall(
  { switches: known, most, onFiles }: ShellCommand,
  { dos, words, switches }: CommandCall,
): void {
  const unknown = known && [...switches].find((each) => !known.test(each));
  if (unknown !== undefined) throw new ShellError(`Invalid switch - /${unknown}`);
  const extra = most === undefined ? undefined : words[most];
  if (extra !== undefined) throw new ShellError(`Too many parameters - ${extra}`);
  const named = onFiles ? words.filter((word) => /^[a-z]:/i.test(word)) : [];
  if (named.some((word) => !dos.directories.valid(dos.paths.splitDrive(word).drive)))
    throw new ShellError('Invalid drive specification');
}

/** A failure with the words the user reads. */
export class ShellError extends Error {}
