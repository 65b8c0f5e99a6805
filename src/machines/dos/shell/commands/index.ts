import type { ShellCommand } from '../shell-command.ts';
import { batchCommands } from './batch.ts';
import { dir } from './dir.ts';
import { directoryCommands } from './directories.ts';
import { driveCommands } from './drives.ts';
import { environmentCommands } from './environment.ts';
import { fileCommands } from './files.ts';
import { filterCommands } from './filters.ts';
import { helpCommands } from './help.ts';
import { labelCommands } from './labels.ts';
import { systemCommands } from './system.ts';

/** Every internal command, by each of its names. */
export const commands: ReadonlyMap<string, ShellCommand> = new Map(
  [
    dir,
    ...directoryCommands,
    ...driveCommands,
    ...labelCommands,
    ...fileCommands,
    ...environmentCommands,
    ...batchCommands,
    ...systemCommands,
    ...filterCommands,
    ...helpCommands,
  ].flatMap((command) => command.names.map((name) => [name, command] as const)),
);
