import { attributes } from '../../drives/drive.ts';
import type { Dos } from '../../services/dos/dos.ts';
import { drivesMax } from '../../services/dos/layout.ts';
import type { CommandCall, ShellCommand } from '../shell-command.ts';
import { ShellError } from '../shell-command.ts';

/** List of lists, 34h: how many drives are joined. */
const joinedCount = 0x34;

const substitute: ShellCommand = {
  names: ['SUBST'],
  run(call) {
    const { dos, words, switches } = call;
    const { directories } = dos;
    const [first, target] = words;
    if (first === undefined) return list(call, (drive) => directories.isSubstituted(drive));
    const drive = letter(first);
    if (switches.has('D')) {
      if (!directories.isSubstituted(drive)) throw new ShellError('Invalid parameter');
      leave(dos, drive);
      directories.reset(drive, dos.drives.find(drive) !== undefined);
      return;
    }
    if (target === undefined || directories.isSubstituted(drive) || dos.area.currentDrive === drive) {
      throw new ShellError('Invalid parameter');
    }
    directories.substitute(drive, directory(dos, target));
  },
};

const join: ShellCommand = {
  names: ['JOIN'],
  run(call) {
    const { dos, words, switches } = call;
    const { directories } = dos;
    const [first, target] = words;
    if (first === undefined) return list(call, (drive) => directories.isJoined(drive));
    const drive = letter(first);
    if (switches.has('D')) {
      if (!directories.isJoined(drive)) throw new ShellError('Invalid parameter');
      directories.reset(drive, true);
      dos.listByte(joinedCount, directories.joined().length);
      return;
    }
    if (target === undefined || !directories.valid(drive) || directories.isSubstituted(drive)) {
      throw new ShellError('Invalid parameter');
    }
    if (dos.area.currentDrive === drive) throw new ShellError('Invalid parameter');
    directories.join(drive, emptyDirectory(dos, drive, target));
    dos.listByte(joinedCount, directories.joined().length);
  },
};

export const driveCommands = [substitute, join] as const;

function list({ dos, shell }: CommandCall, wanted: (drive: number) => boolean): void {
  for (let drive = 0; drive < drivesMax; drive++) {
    if (!wanted(drive)) continue;
    const { directories } = dos;
    const text = directories.isSubstituted(drive)
      ? directories.text(drive).slice(0, Math.max(3, directories.rootLength(drive)))
      : directories.text(drive);
    shell.print(`${String.fromCharCode(0x41 + drive)}: => ${text}\r\n`);
  }
}

function letter(word: string): number {
  if (!/^[a-z]:$/i.test(word)) throw new ShellError('Invalid parameter');
  return word.toUpperCase().charCodeAt(0) - 0x41;
}

function directory(dos: Dos, word: string): string {
  const path = dos.paths.resolve(word);
  const entry = path.device ? undefined : dos.drives.get(path.drive).lookup(path.names);
  if (entry === undefined || !(entry.attributes & attributes.directory)) throw new ShellError('Path not found');
  return dos.paths.format(path);
}

/** Made where it is not there yet. */
function emptyDirectory(dos: Dos, joined: number, word: string): string {
  const path = dos.paths.resolve(word);
  const drive = dos.drives.get(path.drive);
  if (path.device !== undefined || path.names.length === 0 || path.drive === joined) {
    throw new ShellError('Invalid parameter');
  }
  const entry = drive.lookup(path.names);
  if (entry === undefined) drive.makeDirectory(path.names, dos.stamp());
  else if (!(entry.attributes & attributes.directory)) throw new ShellError('Invalid parameter');
  else if (hasFiles(dos, path.drive, path.names)) throw new ShellError('Directory not empty');
  return dos.paths.format(path);
}

function hasFiles(dos: Dos, number: number, names: readonly string[]): boolean {
  const drive = dos.drives.get(number);
  const folder = drive.directory(names);
  for (let entry = drive.scan(folder, 0); entry; entry = drive.scan(folder, entry.slot + 1)) {
    if (!entry.name.startsWith('.')) return true;
  }
  return false;
}

/** Nobody may stand on a drive that goes away. */
function leave(dos: Dos, drive: number): void {
  if (dos.area.currentDrive === drive) throw new ShellError('Invalid parameter');
}
