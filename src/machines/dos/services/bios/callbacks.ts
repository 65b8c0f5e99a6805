/** Numbers after the callback instruction. 00h to FFh are the interrupts themselves. */
export const callbacks = {
  powerOn: 0x100,
  xms: 0x101,
  /** Free for a board: from here stubs that end with IRET, and with RETF. */
  freeInterrupts: 0x200,
  freeFar: 0x300,
} as const;

/** How many free numbers there are of each sort. */
export const freeCallbacks = 256;
