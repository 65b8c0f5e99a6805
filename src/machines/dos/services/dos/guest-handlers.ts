import { dosErrors } from '../../drives/dos-error.ts';
import type { Guest, ServiceOutcome } from '../guest.ts';
import type { Dos } from './dos.ts';
import { linear, unpackFar } from './far-pointer.ts';
import { callHandler, pop, push, returnTo } from './frames.ts';
import { failAfterCriticalError } from './interrupt-21.ts';
import { endings, terminate } from './termination.ts';

const controlBreakVector = 0x23;
const criticalErrorVector = 0x24;
const firstCritical = dosErrors.writeProtected;
const lastCritical = dosErrors.generalFailure;
const carryFlag = 1;

/** Errors of the hardware, which INT 24h decides on. */
export function isCritical(code: number): boolean {
  return code >= firstCritical && code <= lastCritical;
}

/** Shows ^C and calls the program's INT 23h with the registers of its own call. */
export function callControlBreak(dos: Dos, guest: Guest): ServiceOutcome {
  for (const byte of [0x5e, 0x43, 13, 10]) dos.console.write(byte);
  dos.controlBreakStack = guest.sp;
  callHandler(guest, unpackFar(dos.processes.vector(controlBreakVector)), dos.entry('afterControlBreak'));
  return 'done';
}

/** The handler of INT 23h came back: IRET means go on, RETF with carry means end the program. The flags lie on top. */
export function afterControlBreak(dos: Dos, guest: Guest): ServiceOutcome {
  const flags = pop(guest);
  const byFarReturn = guest.sp !== dos.controlBreakStack;
  guest.sp = dos.controlBreakStack;
  if (byFarReturn && flags & carryFlag) {
    terminate(dos, guest, 0, endings.controlBreak);
    return 'done';
  }
  returnTo(guest, dos.entry('int21'), flags & ~0x300);
  return 'done';
}

/** Calls INT 24h the way its handlers expect it: the caller's registers on the stack below the error's. */
export function callCriticalError(dos: Dos, guest: Guest, code: number): ServiceOutcome {
  const { ax, bx, cx, dx, si, di, bp, ds, es } = guest;
  for (const value of [es, ds, bp, di, si, dx, cx, bx, ax]) push(guest, value);
  const writing = code === dosErrors.writeProtected || code === dosErrors.writeFault;
  const driver = dos.devices.blockDriver();
  dos.area.errorDrive = dos.drives.lastUsed;
  guest.ah = 0x38 | (writing ? 1 : 0);
  guest.al = dos.area.errorDrive;
  guest.di = code - firstCritical;
  guest.bp = driver.segment;
  guest.si = driver.offset;
  dos.criticalCode = code;
  callHandler(guest, unpackFar(dos.processes.vector(criticalErrorVector)), dos.entry('afterCriticalError'));
  return 'done';
}

/** INT 24h answered in AL: 0 ignore, 1 retry, 2 end the program, 3 fail the call. */
export function afterCriticalError(dos: Dos, guest: Guest): ServiceOutcome {
  const answer = guest.al;
  const word = (index: number) => guest.memory.read16(linear(guest.ss, guest.sp + index * 2));
  guest.ax = word(0);
  guest.bx = word(1);
  guest.cx = word(2);
  guest.dx = word(3);
  guest.si = word(4);
  guest.di = word(5);
  guest.bp = word(6);
  guest.ds = word(7);
  guest.es = word(8);
  guest.sp = (guest.sp + 18) & 0xffff;
  if (answer === 1) returnTo(guest, dos.entry('int21'), 0x7002);
  else if (answer === 2) terminate(dos, guest, 0, endings.criticalError);
  else failAfterCriticalError(dos, guest, dosErrors.failOnCritical);
  return 'done';
}
