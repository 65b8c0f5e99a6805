/**
 * The processor and its memory as a BIOS or DOS service sees them, between the callback instruction that called it and
 * the IRET after that. Registers are what the caller put there and what it will find.
 */
export interface Guest {
  readonly memory: GuestMemory;
  al: number;
  ah: number;
  ax: number;
  eax: number;
  bl: number;
  bh: number;
  bx: number;
  ebx: number;
  cl: number;
  ch: number;
  cx: number;
  ecx: number;
  dl: number;
  dh: number;
  dx: number;
  edx: number;
  si: number;
  esi: number;
  di: number;
  edi: number;
  bp: number;
  sp: number;
  cs: number;
  ip: number;
  ds: number;
  es: number;
  ss: number;
  fs: number;
  gs: number;
  /** The flags word that lies on the caller's stack and that IRET will bring back. */
  returnFlags: number;
  /** The same word's carry flag, with which most services say that they failed. */
  carry: boolean;
  zero: boolean;
  /** Instructions executed since the machine was switched on: its clock. */
  readonly instructions: number;
  /** The service is about to have code of the guest run there: known as a call to whoever follows the execution. */
  entering?(segment: number, offset: number): void;
}

/** Physical memory, with side effects where a device answers. */
export interface GuestMemory {
  read8(address: number): number;
  read16(address: number): number;
  read32(address: number): number;
  write8(address: number, value: number): void;
  write16(address: number, value: number): void;
  write32(address: number, value: number): void;
  /** A copy. */
  bytes(address: number, length: number): Uint8Array;
  write(address: number, bytes: Uint8Array): void;
}

/**
 * How a service ended. `done`: go on after the callback. `wait`: nothing to give yet (no key was pressed); the callback
 * runs again after the next interrupt. `call`: it has put frames on the stack so that code of the guest runs first and
 * the callback again after that. `jump`: it has set cs:ip itself and nothing is to be returned from. `again`: there is
 * more to do, and the callback runs again at once, so that nothing else has to wait for all of it.
 */
export type ServiceOutcome = 'done' | 'wait' | 'call' | 'jump' | 'again';

export type Service = (guest: Guest) => ServiceOutcome;
