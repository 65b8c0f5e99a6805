import { hex } from '../../../../formats/hex.ts';
import { DosError, errorNames } from '../../drives/dos-error.ts';
import type { CallKind } from '../call-kind.ts';
import type { Guest, ServiceOutcome } from '../guest.ts';
import type { Dos } from './dos.ts';
import { linear } from './far-pointer.ts';
import { failCall, functionTable } from './function-table.ts';
import { callControlBreak, callCriticalError } from './guest-handlers.ts';
import { callIdle } from './idle.ts';
import { CallingGuest, ControlBreak, Waiting } from './signals.ts';

const longNames = 0x71;
const unknownNames: Readonly<Record<number, string>> = { [longNames]: 'long file names (not there)' };
const heads = Array.from(
  { length: 256 },
  (_, ah) => `int 21h ah=${hex(ah, 2)} ${functionTable.get(ah)?.name ?? unknownNames[ah] ?? 'unknown function'}`,
);
/** Functions that leave the caller's registers where they are: programs call them inside other functions. */
const reentrant = new Set([0x33, 0x50, 0x51, 0x62, 0x64]);
/** Functions whose words need nothing but registers. */
const fromRegisters = new Set([
  ...[0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x0b, 0x0c, 0x0d, 0x0e, 0x19, 0x1a, 0x25, 0x2a, 0x2b, 0x2c],
  ...[0x2d, 0x2e, 0x2f, 0x30, 0x31, 0x33, 0x34, 0x35, 0x48, 0x49, 0x4a, 0x4c, 0x4d, 0x50, 0x51, 0x52, 0x54, 0x58],
  ...[0x59, 0x62],
]);
/** Questions that programs ask while they wait: is there a key, what time is it. */
const [checkInput, getDate, getTime] = [0x0b, 0x2a, 0x2c];
const polls = new Set([checkInput, getDate, getTime]);
const directConsole = 0x06;
const askForInput = 0xff;
const lastConsoleFunction = 0x0c;
const serverCall = 0x5d00;

/** A file server's call for another computer: the function whose registers lie at DS:DX. There is one computer only. */
function takeRegisters(guest: Guest): void {
  const list = linear(guest.ds, guest.dx);
  const order = ['ax', 'bx', 'cx', 'dx', 'si', 'di', 'ds', 'es'] as const;
  const values = order.map((_, index) => guest.memory.read16(list + index * 2));
  order.forEach((register, index) => {
    guest[register] = values[index] ?? 0;
  });
}

/** INT 21h. */
export function interrupt21(dos: Dos, guest: Guest): ServiceOutcome {
  if (guest.ax === serverCall) takeRegisters(guest);
  const row = functionTable.get(guest.ah);
  if (row === undefined) {
    guest.al = 0;
    // DOS 5 leaves the flag alone, and programs are to set it before. Those run by a DPMI host cannot; later systems set it.
    if (guest.ah === longNames) guest.carry = true;
    return 'done';
  }
  const { area } = dos;
  const stack = ((guest.ss << 16) | guest.sp) >>> 0;
  const resumed = dos.resumesWait(stack);
  if (!resumed) {
    if (!reentrant.has(row.number)) dos.processes.saveCaller(guest);
    area.inDos++;
  }
  try {
    if (row.failure === 'carry') guest.carry = false;
    if (area.breakCheck && row.number > lastConsoleFunction && !reentrant.has(row.number)) dos.console.ready(true);
    const outcome = row.run(guest, dos) ?? 'done';
    leave(dos, resumed);
    return outcome;
  } catch (error) {
    if (error instanceof Waiting) {
      dos.startWait(stack);
      return callIdle(dos);
    }
    if (error instanceof CallingGuest) {
      dos.startWait(stack);
      return 'call';
    }
    leave(dos, resumed);
    if (error instanceof ControlBreak) return callControlBreak(dos, guest);
    if (!(error instanceof DosError)) throw error;
    if (error.critical) return callCriticalError(dos, guest, error.code);
    failCall(dos, guest, row, error.code);
    return 'done';
  }
}

function leave(dos: Dos, resumed: boolean): void {
  if (dos.area.inDos > 0) dos.area.inDos--;
  if (resumed) dos.endWait();
}

/** What the call log keeps of a call. */
export function kind21({ ah, dl }: Guest): CallKind {
  if (polls.has(ah) || (ah === directConsole && dl === askForInput)) return 'poll';
  return fromRegisters.has(ah) || !functionTable.has(ah) ? 'registers' : 'live';
}

/** Until when a question that is about to be asked gets the same answer and takes nothing away, by its clock; 0 where that is not known. */
export function steadyUntil21({ ah }: Guest, clock: { readonly steadyUntil: number }): number {
  if (ah === directConsole) return 0;
  return ah === getDate || ah === getTime ? clock.steadyUntil : Number.POSITIVE_INFINITY;
}

/** For the call log, before the call. */
export function describe21(dos: Dos, guest: Guest): string {
  const { ah } = guest;
  const head = heads[ah] as string;
  const text = functionTable.get(ah)?.describe?.(guest, dos) ?? '';
  return text === '' ? head : `${head} ${text}`;
}

/** For the call log, after the call of this function. */
export function result21(dos: Dos, guest: Guest, number: number): string {
  const row = functionTable.get(number);
  if (row === undefined) return '';
  if (row.failure === 'carry' && guest.carry) return `error ${guest.ax}: ${errorNames[guest.ax] ?? 'unknown'}`;
  if (row.failure === 'al' && guest.al === 0xff) return 'failed';
  return row.result?.(guest, dos) ?? '';
}
