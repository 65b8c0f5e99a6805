import { errorNames } from '../../../drives/dos-error.ts';
import type { Guest, ServiceOutcome } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import { commandSegment } from '../layout.ts';
import { endings, terminate } from '../termination.ts';

const ignore = 0;
const retry = 1;
const abort = 2;
const fail = 3;
const answers = new Map([
  ['a', abort],
  ['r', retry],
  ['f', fail],
  ['i', ignore],
]);

/** INT 23h of the command interpreter: the program ends. */
export function defaultControlBreak(dos: Dos, guest: Guest): ServiceOutcome {
  if (dos.processes.current !== commandSegment) terminate(dos, guest, 0, endings.controlBreak);
  return 'done';
}

/** INT 0: the program ends, as by Ctrl-C, or it would divide for ever. */
export function divideOverflow(dos: Dos, guest: Guest): ServiceOutcome {
  print(dos, '\r\nDivide overflow\r\n');
  return defaultControlBreak(dos, guest);
}

/** INT 24h of the command interpreter: asks the user. */
export function defaultCriticalError(dos: Dos, guest: Guest): ServiceOutcome {
  if (!dos.criticalAsked) {
    const drive = `drive ${String.fromCharCode(0x41 + dos.area.errorDrive)}`;
    const device = () => `device ${dos.devices.read({ segment: guest.bp, offset: guest.si }).name}`;
    const text = errorNames[dos.criticalCode] ?? 'Error';
    const doing = guest.ah & 1 ? 'writing' : 'reading';
    print(
      dos,
      `\r\n${text.charAt(0).toUpperCase()}${text.slice(1)} ${doing} ${guest.ah & 0x80 ? device() : drive}\r\nAbort, Retry, Fail? `,
    );
    dos.criticalAsked = true;
  }
  for (let byte = dos.console.tryRead(); byte !== undefined; byte = dos.console.tryRead()) {
    const answer = answers.get(String.fromCharCode(byte).toLowerCase());
    if (answer === undefined) continue;
    print(dos, `${String.fromCharCode(byte)}\r\n`);
    dos.criticalAsked = false;
    guest.al = answer;
    return 'done';
  }
  return 'wait';
}

function print(dos: Dos, text: string): void {
  for (let i = 0; i < text.length; i++) dos.console.write(text.charCodeAt(i));
}
