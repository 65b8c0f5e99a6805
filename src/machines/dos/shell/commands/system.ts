import { currentPage } from '../../services/dos/country.ts';
import type { Dos } from '../../services/dos/dos.ts';
import { daysIn } from '../../services/dos/functions/date-time.ts';
import { dateOrder, formatDate, formatTime, parseDate } from '../country-formats.ts';
import type { ShellCommand } from '../shell-command.ts';
import { ShellError } from '../shell-command.ts';
import { useTerminal } from '../terminal.ts';

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

const clear: ShellCommand = { names: ['CLS'], run: ({ shell }) => shell.print('\x1b[2J') };

const version: ShellCommand = {
  names: ['VER'],
  run: ({ shell }) => shell.print('\r\nfrontpanel DOS Version 5.00\r\n\r\n'),
};

const date: ShellCommand = {
  names: ['DATE'],
  run({ dos, shell, context, words }) {
    const [text] = words;
    if (text !== undefined) {
      if (!setDate(dos, text)) throw new ShellError('Invalid date');
      return;
    }
    shell.print(`Current date is ${dateText(dos)}\r\nEnter new date (${dateOrder(dos)}): `);
    context.job = { kind: 'date' };
  },
};

const time: ShellCommand = {
  names: ['TIME'],
  run({ dos, shell, context, words }) {
    const [text] = words;
    if (text !== undefined) {
      if (!setTime(dos, text)) throw new ShellError('Invalid time');
      return;
    }
    shell.print(`Current time is ${timeText(dos)}\r\nEnter new time: `);
    context.job = { kind: 'time' };
  },
};

const breakCheck: ShellCommand = {
  names: ['BREAK'],
  run({ dos, shell, words }) {
    const value = onOrOff(words[0]);
    if (value === undefined) shell.print(`BREAK is ${dos.area.breakCheck ? 'on' : 'off'}\r\n`);
    else dos.area.breakCheck = value;
  },
};

const verify: ShellCommand = {
  names: ['VERIFY'],
  run({ dos, shell, words }) {
    const value = onOrOff(words[0]);
    if (value === undefined) shell.print(`VERIFY is ${dos.area.verify ? 'on' : 'off'}\r\n`);
    else dos.area.verify = value;
  },
};

const share: ShellCommand = {
  names: ['SHARE'],
  run({ dos }) {
    if (dos.share.loaded) throw new ShellError('SHARE already installed');
    dos.share.load();
  },
};

const highFirst = 0x80;

/** The program is loaded high where there is room; what it allocates itself is where it always would be. */
const loadHigh: ShellCommand = {
  names: ['LH', 'LOADHIGH'],
  run({ dos, shell, context, guest, tail }) {
    const { area, blocks } = dos;
    const { allocationStrategy } = area;
    const { linked, upperHead } = blocks;
    if (upperHead !== undefined) {
      area.allocationStrategy = highFirst;
      blocks.linked = true;
    }
    try {
      shell.execute(guest, context, tail, false);
    } finally {
      area.allocationStrategy = allocationStrategy;
      if (upperHead !== undefined) blocks.linked = linked;
    }
  },
};

const codePage: ShellCommand = {
  names: ['CHCP'],
  most: 1,
  run({ dos, shell, words: [wanted] }) {
    const page = currentPage(dos.memory);
    if (wanted === undefined) shell.print(`\r\nActive code page: ${page}\r\n`);
    else if (!/^\d{1,5}$/.test(wanted)) throw new ShellError('Invalid code page');
    // As function 66h: another one is for NLSFUNC, which there is none of.
    else if (Number(wanted) !== page) throw new ShellError('NLSFUNC not installed');
  },
};

/** Another device is the terminal from here on, such as a serial line. */
const terminal: ShellCommand = {
  names: ['CTTY'],
  most: 1,
  run({ dos, context, words: [name = ''] }) {
    if (name === '') throw new ShellError('Invalid device');
    useTerminal(dos, context, name.replace(/:$/, ''));
  },
};

export const systemCommands = [
  clear,
  version,
  date,
  time,
  breakCheck,
  verify,
  share,
  loadHigh,
  codePage,
  terminal,
] as const;

function onOrOff(word: string | undefined): boolean | undefined {
  if (word === undefined) return undefined;
  if (/^on$/i.test(word)) return true;
  if (/^off$/i.test(word)) return false;
  throw new ShellError('Must specify ON or OFF');
}

export function dateText(dos: Dos): string {
  const { year, month, day } = dos.clock.now();
  const weekday = days[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? '';
  return `${weekday} ${formatDate(dos, { year, month, day }, false)}`;
}

export function timeText(dos: Dos): string {
  return formatTime(dos, dos.clock.now());
}

/** False where the text is no date. */
export function setDate(dos: Dos, text: string): boolean {
  const date = parseDate(dos, text);
  if (date === undefined) return false;
  const { year, month, day } = date;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || year < 1980 || year > 2099) return false;
  dos.clock.setDate(year, month, day);
  return true;
}

export function setTime(dos: Dos, text: string): boolean {
  const match = /^(\d+)(?:[:.](\d+))?(?:[:.](\d+))?(?:[.,](\d+))?\s*([ap])?m?$/i.exec(text.trim());
  if (match === null) return false;
  const [hour = 0, minute = 0, second = 0, hundredth = 0] = match.slice(1, 5).map((part) => Number(part ?? 0));
  const half = match[5]?.toLowerCase();
  if (half !== undefined && (hour < 1 || hour > 12)) return false;
  const full = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0);
  if (full > 23 || minute > 59 || second > 59 || hundredth > 99) return false;
  dos.clock.setTime(full, minute, second, hundredth);
  return true;
}
