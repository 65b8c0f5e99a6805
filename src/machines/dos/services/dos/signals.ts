/** Thrown by a function that has nothing to give yet: it is run again from its start after the next interrupt. */
export class Waiting extends Error {}

/** Thrown where Ctrl-C was seen: INT 23h decides what becomes of the program. */
export class ControlBreak extends Error {}

/** Thrown where code of the guest must run first: the function is run again from its start when that is back. */
export class CallingGuest extends Error {}

/** Errors that only carry control need no stack, so one of each is enough. */
export const waiting = new Waiting('waiting');
export const controlBreak = new ControlBreak('control break');
export const callingGuest = new CallingGuest('calling guest');
