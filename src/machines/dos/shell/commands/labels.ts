import { upperCase } from '../../drives/names.ts';
import type { Dos } from '../../services/dos/dos.ts';
import type { Shell } from '../shell.ts';
import { type ShellCommand, ShellError } from '../shell-command.ts';
import { serialText } from './dir.ts';

const mostCharacters = 11;

const volume: ShellCommand = {
  names: ['VOL'],
  run({ dos, shell, words }) {
    shell.print(volumeText(dos, driveOf(dos, words[0] ?? '').drive));
  },
};

const label: ShellCommand = {
  names: ['LABEL'],
  isProgram: true,
  run({ dos, shell, context, tail }) {
    const { drive, rest } = driveOf(dos, tail.trim());
    if (rest !== '') {
      setLabel(dos, drive, rest);
      return;
    }
    shell.print(`${volumeText(dos, drive)}${labelQuestion}`);
    context.job = { kind: 'label', drive };
  },
};

export const labelCommands = [volume, label] as const;

const labelQuestion = '\r\nVolume label (11 characters, ENTER for none)? ';

/** Takes what was answered to the question for a label. True where it has to be asked whether the old one shall go. */
export function takeLabel(dos: Dos, shell: Shell, drive: number, answer: string): boolean {
  if (answer.trim() === '') {
    if (dos.realDrive(drive).label().trimEnd() === '') return false;
    shell.print('\r\nDelete current volume label (Y/N)? ');
    return true;
  }
  setLabel(dos, drive, answer);
  return false;
}

export function deleteLabel(dos: Dos, drive: number): void {
  dos.realDrive(drive).setLabel('', dos.stamp());
}

function setLabel(dos: Dos, drive: number, text: string): void {
  if (text.length > mostCharacters || /[*?/\\|.,;:+=<>[\]()&^"\x00-\x1f]/.test(text)) {
    throw new ShellError('Invalid characters in volume label');
  }
  dos.realDrive(drive).setLabel(upperCase(text).trimEnd().padEnd(mostCharacters), dos.stamp());
}

function driveOf(dos: Dos, text: string): { readonly drive: number; readonly rest: string } {
  const { drive } = dos.paths.splitDrive(text);
  if (!dos.directories.valid(drive)) throw new ShellError('Invalid drive specification');
  return { drive, rest: text.replace(/^[a-z]:/i, '').trim() };
}

function volumeText(dos: Dos, drive: number): string {
  const found = dos.realDrive(drive);
  const name = found.label().trimEnd();
  const { serial } = found;
  const number = serial === 0 ? '' : ` Volume Serial Number is ${serialText(serial)}\r\n`;
  return `\r\n Volume in drive ${String.fromCharCode(0x41 + drive)} ${name === '' ? 'has no label' : `is ${name}`}\r\n${number}`;
}
