import { DosError } from '../../drives/dos-error.ts';
import { attributes } from '../../drives/drive.ts';
import type { CommandCall, ShellCommand } from '../shell-command.ts';
import { ShellError } from '../shell-command.ts';
import { isDirectory } from '../shell-files.ts';

const changeDirectory: ShellCommand = {
  names: ['CD', 'CHDIR'],
  onFiles: true,
  switches: /^$/,
  most: 1,
  run({ dos, shell, words }) {
    const [word = ''] = words;
    if (word === '' || /^[a-z]:$/i.test(word)) {
      shell.print(`${dos.directories.get(dos.paths.splitDrive(word).drive)}\r\n`);
      return;
    }
    attempt('Invalid directory', () => {
      const path = dos.paths.resolve(word);
      const entry = path.device ? undefined : dos.drives.get(path.drive).lookup(path.names);
      if (entry === undefined || !(entry.attributes & attributes.directory)) throw new DosError('pathNotFound');
      dos.directories.set(path.letter ?? path.drive, dos.paths.format(path));
    });
  },
};

const makeDirectory: ShellCommand = {
  names: ['MD', 'MKDIR'],
  onFiles: true,
  switches: /^$/,
  most: 1,
  run({ dos, words }) {
    const name = required(words);
    if (isDirectory(dos, name)) throw new ShellError('Directory already exists');
    attempt('Unable to create directory', () => {
      const path = dos.paths.resolve(name);
      if (path.device !== undefined) throw new DosError('accessDenied');
      dos.drives.get(path.drive).makeDirectory(path.names, dos.stamp());
    });
  },
};

const removeDirectory: ShellCommand = {
  names: ['RD', 'RMDIR'],
  onFiles: true,
  switches: /^$/,
  most: 1,
  run({ dos, words }) {
    const path = dos.paths.resolve(required(words));
    if (dos.directories.isInUse(dos.paths.format(path))) {
      throw new ShellError('Attempt to remove current directory');
    }
    attempt('Invalid path, not directory,\r\nor directory not empty', () => {
      if (path.device !== undefined) throw new DosError('pathNotFound');
      dos.drives.get(path.drive).removeDirectory(path.names);
    });
  },
};

export const directoryCommands = [changeDirectory, makeDirectory, removeDirectory] as const;

export function required(words: CommandCall['words']): string {
  const [word] = words;
  if (word === undefined) throw new ShellError('Required parameter missing');
  return word;
}

/** Whatever DOS says, the user reads this; what the disk says is told as it is. */
export function attempt(message: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    throw error instanceof DosError && !error.critical ? new ShellError(message) : error;
  }
}
