import { hex } from '../../../../formats/hex.ts';
import { ownValue } from '../../../../formats/own-value.ts';
import type { Dos } from '../../services/dos/dos.ts';
import { type ShellCommand, ShellError } from '../shell-command.ts';

/** What each command is for, in the order of the alphabet. */
const purposes: Readonly<Record<string, string>> = {
  ATTRIB: 'Shows or changes attributes of files: +R -R +A -A +S -S +H -H, /S.',
  BREAK: 'Sets or shows the check for Ctrl-C.',
  CALL: 'Runs a batch file from another one.',
  CD: 'Shows or changes the current directory.',
  CHCP: 'Shows the code page.',
  CHOICE: 'Waits for one of several keys: /C:keys /T:key,seconds.',
  CLS: 'Clears the screen.',
  COPY: 'Copies files, or joins them with +.',
  CTTY: 'Makes another device the terminal: CTTY COM1, CTTY CON.',
  DATE: 'Shows or sets the date.',
  DEL: 'Deletes files.',
  DIR: 'Lists files: /W /P /B /S /A /O.',
  ECHO: 'Shows a text, or switches the echo of commands.',
  EXIT: 'Leaves this command interpreter.',
  FIND: 'Shows lines with a text: /V /C /N /I "text" files.',
  FOR: 'Runs a command for each of several files.',
  GOTO: 'Goes to a label in a batch file.',
  HELP: 'Lists the commands, or says what one is for.',
  IF: 'Runs a command on a condition.',
  JOIN: 'Makes a drive a directory of another one: JOIN D: C:\\DISK, JOIN D: /D.',
  LABEL: 'Shows, sets or deletes the label of a drive: LABEL C:NAME.',
  LH: 'Loads a program into upper memory.',
  MD: 'Makes a directory.',
  MEM: 'Shows how much memory there is, with /C who has it, with /F what is free.',
  MORE: 'Shows a file or what is piped into it by screens.',
  PATH: 'Shows or sets where programs are looked for.',
  PAUSE: 'Waits for a key.',
  PROMPT: 'Changes the prompt.',
  RD: 'Removes a directory.',
  REM: 'Does nothing: a remark.',
  REN: 'Renames files.',
  SET: 'Shows or sets variables.',
  SHARE: 'Loads file sharing.',
  SHIFT: 'Moves the parameters of a batch file along.',
  SORT: 'Sorts lines: /R /+column.',
  SUBST: 'Makes a directory a drive.',
  TIME: 'Shows or sets the time.',
  TYPE: 'Shows a file.',
  VER: 'Shows the version.',
  VERIFY: 'Sets or shows the check of what is written.',
  VOL: 'Shows the label of a drive.',
};

/** Other names of commands. */
const aliases: Readonly<Record<string, string>> = {
  CHDIR: 'CD',
  ERASE: 'DEL',
  LOADHIGH: 'LH',
  MKDIR: 'MD',
  RENAME: 'REN',
  RMDIR: 'RD',
};

/** What HELP and `/?` say of a command. */
export function helpText(command: string): string {
  const name = ownValue(aliases, command.toUpperCase()) ?? command.toUpperCase();
  const purpose = ownValue(purposes, name);
  if (purpose === undefined) throw new ShellError(`No help for ${command.toUpperCase()}`);
  return `${name}  ${purpose}\r\n`;
}

const help: ShellCommand = {
  names: ['HELP'],
  run({ shell, words: [wanted] }) {
    if (wanted === undefined) {
      for (const [name, purpose] of Object.entries(purposes)) shell.print(`${name.padEnd(9)}${purpose}\r\n`);
      return;
    }
    shell.print(helpText(wanted));
  },
};

const kilobyte = 1024;
const paragraph = 16;
/** Where memory for programs ends and upper memory begins. */
const upperSegment = 0xa000;

const mem: ShellCommand = {
  names: ['MEM'],
  switches: /^[CF]$/,
  most: 0,
  run({ dos, shell, switches }) {
    const blocks = [...dos.blocks.walkAll()].map(({ control, paragraphs, owner, name }) => ({
      control,
      name: owner === 8 ? 'SYSTEM' : name.trim(),
      isFree: owner === 0,
      bytes: paragraphs * paragraph,
    }));
    if (switches.has('C') || switches.has('F')) {
      shell.print('\r\nSegment      Size  Owner\r\n');
      for (const { control, name, isFree, bytes } of blocks.filter((each) => each.isFree || !switches.has('F'))) {
        const segment = hex(control + 1, 4);
        shell.print(`  ${segment} ${String(bytes).padStart(11)}  ${isFree ? 'free' : name}\r\n`);
      }
    }
    const lower = blocks.filter(({ control }) => control < upperSegment);
    const upper = blocks.filter(({ control }) => control >= upperSegment);
    const free = (of: typeof blocks) => of.reduce((sum, { isFree, bytes }) => sum + (isFree ? bytes : 0), 0);
    const largest = lower.reduce((most, { isFree, bytes }) => Math.max(most, isFree ? bytes : 0), 0);
    const all = upper.reduce((sum, { bytes }) => sum + bytes, 0);
    shell.print('\r\nMemory            Total        Free\r\n');
    row(shell, 'Conventional', 640 * kilobyte, free(lower));
    row(shell, 'Upper', all, free(upper));
    others(dos, shell);
    shell.print(`\r\nLargest program: ${largest} bytes\r\n`);
  },
};

function others({ otherMemory }: Dos, shell: Parameters<typeof row>[0]): void {
  const memory = otherMemory?.();
  if (!memory) return;
  row(shell, 'Extended (XMS)', memory.xms.total * kilobyte, memory.xms.free * kilobyte);
  row(shell, 'Expanded (EMS)', memory.ems.total * kilobyte, memory.ems.free * kilobyte);
}

function row(shell: { print(text: string): void }, name: string, total: number, free: number): void {
  shell.print(`${name.padEnd(14)} ${String(total).padStart(8)}  ${String(free).padStart(10)}\r\n`);
}

export const helpCommands = [help, mem] as const;
