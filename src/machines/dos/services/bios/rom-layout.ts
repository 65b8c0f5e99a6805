/** Offsets in segment F000 of what the ROM holds. Those above E000h are where IBM's BIOS has them: programs know them. */
export const romFonts = { font14: 0x0020, font16: 0x1000, upper8: 0x2000, font8: 0x2400 } as const;

export const romTables = {
  /** Where programs look for the name of the expanded memory driver, in the segment that INT 67h points to. */
  emsName: 0x000a,
  videoFunctionality: 0x2c00,
  videoSavePointers: 0x2c20,
  oemName: 0x2c60,
  /** Segment F000 has the stubs of INT 0 to FFh, eight bytes each, then free ones that end with IRET, then with RETF. */
  interrupts: 0x3000,
  freeInterrupts: 0x3800,
  freeFar: 0x4000,
  configuration: 0xe6f5,
  diskParameters: 0xefc7,
  videoParameters: 0xf0a4,
  lower8: 0xfa6e,
  date: 0xfff5,
  model: 0xfffe,
} as const;

/** Code of the ROM that services jump to or vectors point at. */
export const romCode = {
  /** End of an interrupt for IRQ 0-7, and for 8-15. */
  endOfInterrupt: 0x4800,
  endOfSlaveInterrupt: 0x4810,
  /** INT 09h's ways out with INT 1Bh and INT 05h. */
  breakKey: 0x4820,
  printScreen: 0x4830,
  clockInterrupt: 0x4840,
  /** The far entry of the extended memory driver. */
  xmsEntry: 0x48c0,
  /** INT 70h's way out with INT 4Ah. */
  alarm: 0x4850,
  /** INT 73h, and after its head the callback that handlers of the mouse driver return to. */
  mouseInterrupt: 0x4860,
  mouseReturn: 0x4871,
  /** INT 74h, and where handlers of INT 15h AH=C2h return to. */
  pointerInterrupt: 0x4890,
  pointerReturn: 0x48a7,
  /** INT 75h: the coprocessor's errors become INT 02h, as they were on the PC. */
  coprocessorInterrupt: 0x48d0,
  /** What programs call to move the window of VESA's modes. */
  vbeWindow: 0x48f0,
  powerOn: 0xe05b,
  /** INT 0Eh: notes that the floppy controller has spoken. */
  floppyInterrupt: 0xef57,
  ignoredInterrupt: 0xff53,
  reset: 0xfff0,
} as const;
