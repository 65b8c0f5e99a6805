import { dosErrors } from '../../drives/dos-error.ts';
import type { Guest, ServiceOutcome } from '../guest.ts';
import { deviceAttributes } from './devices.ts';
import type { Dos } from './dos.ts';
import { unpackFar } from './far-pointer.ts';
import { callHandler, pop, returnTo } from './frames.ts';
import { failAfterCriticalError } from './function-table.ts';
import { keepRegisters, takeBack } from './guest-calls.ts';
import { endings, terminate } from './termination.ts';

const controlBreakVector = 0x23;
const criticalErrorVector = 0x24;
const firstCritical = dosErrors.writeProtected;
const carryFlag = 1;
/** In AH of INT 24h. */
const ofDevice = 0x80;

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
  keepRegisters(guest);
  const writing = code === dosErrors.writeProtected || code === dosErrors.writeFault;
  const { failing } = dos.drivers;
  const driver = failing === 0 ? dos.devices.blockDriver() : unpackFar(failing);
  dos.drivers.failing = 0;
  dos.area.errorDrive = dos.drives.lastUsed;
  const character = (dos.devices.read(driver).attributes & deviceAttributes.character) !== 0;
  guest.ah = 0x38 | (writing ? 1 : 0) | (character ? ofDevice : 0);
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
  const answer = takeBack(guest).ax & 0xff;
  if (answer === 1) returnTo(guest, dos.entry('int21'), 0x7002);
  else if (answer === 2) terminate(dos, guest, 0, endings.criticalError);
  else failAfterCriticalError(dos, guest, dosErrors.failOnCritical);
  return 'done';
}
