import { dosErrors } from '../../drives/dos-error.ts';
import type { Guest } from '../guest.ts';
import type { Dos } from './dos.ts';
import type { DosFunction } from './dos-function.ts';
import { recordError } from './extended-error.ts';
import { functions } from './functions/index.ts';

const { sharingViolation, lockViolation, accessDenied } = dosErrors;
const lockFile = 0x5c;

/** The functions of INT 21h by their numbers. */
export const functionTable: ReadonlyMap<number, DosFunction> = new Map(functions.map((row) => [row.number, row]));

/** Tells the caller of a function that it failed. */
export function failCall(dos: Dos, guest: Guest, row: DosFunction, code: number): void {
  recordError(dos.area, code);
  if (row.failure === 'carry') {
    guest.carry = true;
    // Programs older than SHARE do not know its codes; function 59h tells them.
    guest.ax = (code === sharingViolation || code === lockViolation) && row.number !== lockFile ? accessDenied : code;
  } else if (row.failure === 'al') guest.al = 0xff;
}

/** The same for a function whose critical error was answered with "fail". */
export function failAfterCriticalError(dos: Dos, guest: Guest, code: number): void {
  const row = functionTable.get(guest.ah);
  if (row !== undefined) failCall(dos, guest, row, code);
}
