import { callbacks, freeCallbacks } from './callbacks.ts';
import { font8, font14, font16 } from './font/fonts.ts';
import { romCode, romFonts, romTables } from './rom-layout.ts';

/** The number of its low byte: see svga.ts of the VGA. */
const bankRegister = 8;
const IRET = 0xcf;
const RETF = 0xcb;

/** Where programs expect some handlers: interrupt, offset. */
const knownPlaces: ReadonlyMap<number, number> = new Map([
  [0x02, 0xe2c3],
  [0x05, 0xff54],
  [0x08, 0xfea5],
  [0x09, 0xe987],
  [0x10, 0xf065],
  [0x11, 0xf84d],
  [0x12, 0xf841],
  [0x13, 0xec59],
  [0x14, 0xe739],
  [0x15, 0xf859],
  [0x16, 0xe82e],
  [0x17, 0xefd2],
  [0x19, 0xe6f2],
  [0x1a, 0xfe6e],
]);

const callback = (number: number) => [0xfe, 0x38, number & 0xff, number >> 8];
/** mov al,20h / out 20h,al (and A0h before), with AX kept. */
const endMaster = [0x50, 0xb0, 0x20, 0xe6, 0x20, 0x58];
const endBoth = [0x50, 0xb0, 0x20, 0xe6, 0xa0, 0xe6, 0x20, 0x58];
const int = (interrupt: number) => [0xcd, interrupt];
const jumpNear = (from: number, to: number) => [0xe9, (to - from - 3) & 0xff, ((to - from - 3) >> 8) & 0xff];
/** ax bx cx dx bp si di ds es, and back. */
const pushAll = [0x50, 0x53, 0x51, 0x52, 0x55, 0x56, 0x57, 0x1e, 0x06];
const popAll = [0x07, 0x1f, 0x5f, 0x5e, 0x5d, 0x5a, 0x59, 0x5b, 0x58];

const plainStub = (interrupt: number) => romTables.interrupts + interrupt * 8;

/** Offset in F000 of the code that an interrupt's vector points to at power on. */
export function interruptOffset(interrupt: number): number {
  const known = knownPlaces.get(interrupt);
  if (known !== undefined) return known;
  if (interrupt === 0x1b || interrupt === 0x1c || interrupt === 0x4a) return romCode.ignoredInterrupt;
  // IRQ 3-7 and 10-15 without a driver: only ended.
  if (interrupt === 0x0e) return romCode.floppyInterrupt;
  if (interrupt >= 0x0b && interrupt <= 0x0f) return romCode.endOfInterrupt;
  if (interrupt === 0x75) return romCode.coprocessorInterrupt;
  if ((interrupt >= 0x71 && interrupt <= 0x72) || (interrupt >= 0x76 && interrupt <= 0x77))
    return romCode.endOfSlaveInterrupt;
  return plainStub(interrupt);
}

/** Offset in F000 of a free stub, by its callback number. */
export function stubOffset(number: number): number {
  if (number >= callbacks.freeFar) return romTables.freeFar + (number - callbacks.freeFar) * 8;
  return romTables.freeInterrupts + (number - callbacks.freeInterrupts) * 8;
}

/** The 64 KiB at F0000h: stubs for all interrupts, the code around some of them, fonts and tables. */
export function buildBiosRom(): Uint8Array {
  const rom = new Uint8Array(0x10000);
  const put = (offset: number, ...parts: readonly (readonly number[])[]) => rom.set(parts.flat(), offset);

  for (let interrupt = 0; interrupt < 256; interrupt++) put(plainStub(interrupt), callback(interrupt), [IRET]);
  for (let i = 0; i < freeCallbacks; i++) {
    put(stubOffset(callbacks.freeInterrupts + i), callback(callbacks.freeInterrupts + i), [IRET]);
    put(stubOffset(callbacks.freeFar + i), callback(callbacks.freeFar + i), [RETF]);
  }
  for (const [interrupt, offset] of knownPlaces) put(offset, callback(interrupt), [IRET]);
  putInterruptCode(put);

  // Others hook the driver by the jump at its entry.
  put(romCode.xmsEntry, [0xeb, 3, 0x90, 0x90, 0x90], callback(callbacks.xms), [RETF]);
  // BH 0: mov dl to the bank's register; 1: the bank to dx. Either way with ax = 4Fh.
  const chooseBank = [0xba, 0xce, 0x01, 0xb0, bankRegister, 0xee, 0x42];
  put(
    romCode.vbeWindow,
    [0x80, 0xff, 0x01, 0x74, 0x10, 0x88, 0xd4, 0x52],
    chooseBank,
    [0x88, 0xe0, 0xee, 0x5a, 0xeb, 0x0c],
  );
  put(romCode.vbeWindow + 21, chooseBank, [0xec, 0x88, 0xc2, 0x30, 0xf6, 0xb8, 0x4f, 0x00, RETF]);
  put(romCode.ignoredInterrupt, [IRET]);
  put(romCode.endOfInterrupt, endMaster, [IRET]);
  // push ds / push ax / mov ax,40h / mov ds,ax / or byte [3Eh],80h / pop ax / pop ds / end of interrupt / iret
  const noteFloppy = [0x1e, 0x50, 0xb8, 0x40, 0x00, 0x8e, 0xd8, 0x80, 0x0e, 0x3e, 0x00, 0x80, 0x58, 0x1f];
  put(romCode.floppyInterrupt, noteFloppy, endMaster, [IRET]);
  put(romCode.endOfSlaveInterrupt, endBoth, [IRET]);
  // sti / int 19h / hlt / jmp back
  put(romCode.powerOn, callback(callbacks.powerOn), [0xfb], int(0x19), [0xf4, 0xeb, 0xfd]);
  put(romCode.reset, [0xea, romCode.powerOn & 0xff, romCode.powerOn >> 8, 0x00, 0xf0]);

  rom.set(font14.bytes, romFonts.font14);
  rom.set(font16.bytes, romFonts.font16);
  rom.set(font8.bytes, romFonts.font8);
  rom.set(font8.bytes.subarray(0x400), romFonts.upper8);
  rom.set(font8.bytes.subarray(0, 0x400), romTables.lower8);
  putTables(put);
  return rom;
}

type Put = (offset: number, ...parts: readonly (readonly number[])[]) => void;

function putInterruptCode(put: Put): void {
  put(interruptOffset(0x08), [0xfb], callback(0x08), int(0x1c), [0xfa], endMaster, [IRET]);
  // push ax / in al,60h / mov ah,4Fh / stc / int 15h / jnc over the service / service / cli / end of interrupt / pop ax
  const leaveKeyboard = [0xfa, 0xb0, 0x20, 0xe6, 0x20];
  put(
    interruptOffset(0x09),
    [0xfb, 0x50, 0xe4, 0x60, 0xb4, 0x4f, 0xf9],
    int(0x15),
    [0x73, 4],
    callback(0x09),
    leaveKeyboard,
    [0x58, IRET],
  );
  put(romCode.breakKey, leaveKeyboard, int(0x1b), [0x58, IRET]);
  put(romCode.printScreen, leaveKeyboard, int(0x05), [0x58, IRET]);
  // Three bytes lie between INT 19h and the configuration table.
  put(interruptOffset(0x19), jumpNear(interruptOffset(0x19), plainStub(0x19)));
  put(plainStub(0x70), jumpNear(plainStub(0x70), romCode.clockInterrupt));
  put(romCode.clockInterrupt, callback(0x70), endBoth, [IRET]);
  put(romCode.alarm, endBoth, [0xfb], int(0x4a), [IRET]);
  // push ax / xor al,al / out F0h,al / end of interrupt / pop ax / int 2 / iret
  const clearLatch = [0x50, 0x30, 0xc0, 0xe6, 0xf0];
  put(romCode.coprocessorInterrupt, clearLatch, endBoth.slice(1), int(0x02), [IRET]);
  // The mouse driver's events; handlers return to the callback, for the next event.
  put(plainStub(0x73), jumpNear(plainStub(0x73), romCode.mouseInterrupt));
  put(romCode.mouseInterrupt, pushAll, endBoth);
  put(romCode.mouseReturn, callback(0x73), popAll, [IRET]);
  // The PS/2 mouse of INT 15h AH=C2h; add sp,8 takes the four words of its handler away.
  put(plainStub(0x74), jumpNear(plainStub(0x74), romCode.pointerInterrupt));
  const pointerInterrupt = [...pushAll, ...endBoth, ...callback(0x74)];
  put(romCode.pointerInterrupt, pointerInterrupt, [0xeb, 3]);
  put(romCode.pointerReturn, [0x83, 0xc4, 0x08], popAll, [IRET]);
}

function putTables(put: Put): void {
  const ascii = (text: string) => Array.from(text, (character) => character.charCodeAt(0));
  // Length 8, model FCh (AT), two PICs, a clock, INT 15h AH=4Fh.
  put(romTables.configuration, [8, 0, 0xfc, 1, 0, 0x70, 0, 0, 0, 0]);
  put(romTables.diskParameters, [0xdf, 0x02, 0x25, 0x02, 0x12, 0x1b, 0xff, 0x6c, 0xf6, 0x0f, 0x08]);
  // Modes 0-7 and 0Dh-13h; 200, 350 and 400 lines; two of eight character blocks at a time.
  put(romTables.videoFunctionality, [0xff, 0xe0, 0x0f, 0, 0, 0, 0, 7, 2, 8, 0xff, 0x0e, 0, 0, 0x3f, 0]);
  put(romTables.emsName, ascii('EMMXXXX0'));
  put(romTables.oemName, ascii('frontpanel PC\0'));
  put(romTables.date, ascii('11/15/92'));
  put(romTables.model, [0xfc, 0]);
}
