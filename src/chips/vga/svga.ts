import { fields, memoryBytes, type VgaState } from './fields.ts';

/**
 * What this card has beyond a VGA: 2 MiB, a window of 64 KiB into it, and modes that the following registers describe. Each
 * is a word; port 1CEh chooses one of its bytes (number times 2, plus 1 for the upper one), port 1CFh reads and writes it.
 */
export const svgaRegisters = {
  width: 0,
  height: 1,
  /** A pixel: 4 (planes), 8, 15, 16, 24 or 32. */
  bits: 2,
  /** Bit 0: these modes are on. Bit 5: the DAC has eight bits for each colour. Bit 7: what is in memory stays when this is written. */
  enable: 3,
  bank: 4,
  /** From one line to the next, in bytes (of a plane). */
  pitch: 5,
  startX: 6,
  startY: 7,
  /** For the BIOS to remember the mode. */
  scratch: 8,
} as const;

const registers = Object.keys(svgaRegisters).length;
const modeOn = 1;
const wideDac = 0x20;
const keepMemory = 0x80;
const ENABLE = fields.svga + svgaRegisters.enable;
const BANK = fields.svga + svgaRegisters.bank;
const BITS = fields.svga + svgaRegisters.bits;
const windowBytes = 0x10000;

export const svgaRegister = (s: VgaState, register: number): number => s[fields.svga + register];
export const isSvga = (s: VgaState): boolean => (s[ENABLE] & modeOn) !== 0;
export const hasWideDac = (s: VgaState): boolean => (s[ENABLE] & wideDac) !== 0;

export function readSvga(s: VgaState): number {
  const index = s[fields.svgaIndex];
  if (index >= registers * 2) return 0xff;
  return (svgaRegister(s, index >> 1) >> ((index & 1) * 8)) & 0xff;
}

/** True where all memory is to be cleared. */
export function writeSvga(s: VgaState, value: number): boolean {
  const index = s[fields.svgaIndex];
  if (index >= registers * 2) return false;
  const at = fields.svga + (index >> 1);
  const old = s[at];
  s[at] = (index & 1) !== 0 ? (old & 0xff) | (value << 8) : (old & 0xff00) | value;
  const on = isSvga(s);
  s[fields.packed] = on && s[BITS] > 4 ? 1 : 0;
  s[fields.planeBank] = on ? (s[BANK] * windowBytes) % (memoryBytes / 4) : 0;
  if (!on) return false;
  s[fields.svgaUsed] = 1;
  return index === svgaRegisters.enable * 2 && (value & keepMemory) === 0;
}

/** Where an address of A0000h-AFFFFh leads in the card's memory; -1 for others and beyond its end. */
export function packedAddress(s: VgaState, address: number): number {
  const at = s[BANK] * windowBytes + (address - 0xa0000);
  return address >= 0xb0000 || at >= memoryBytes ? -1 : at;
}
