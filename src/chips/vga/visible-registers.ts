import { fields, type VgaState } from './fields.ts';

/** Registers that a picture depends on, but for the cursor and the start address, which counts from the next retrace on. */
const seenOfCrtc = 0b1_1001_1111_0000_0011_1111_1111;
const seenOfSequencer = 0b01010;
/** By the lower five bits of the ports through which they are reached: 3C0h, 3C2h, 3C5h, 3C6h, 3C9h, 3B5h and 3D5h. */
const ports = (1 << 0x00) | (1 << 0x02) | (1 << 0x05) | (1 << 0x06) | (1 << 0x09) | (1 << 0x15);

/** Whether a write to this port may change what is seen. */
export const mayShow = (port: number): boolean => ((ports >>> (port & 31)) & 1) !== 0;

/** The register that a write to this port changes, where the picture depends on it; -1 else, and where the port takes more bytes first. */
export function visibleRegister(s: VgaState, port: number): number {
  switch (port) {
    case 0x3c5:
      return ((seenOfSequencer >> s[fields.sequencerIndex]) & 1) !== 0
        ? fields.sequencer + s[fields.sequencerIndex]
        : -1;
    case 0x3c9:
      return s[fields.dacComponent] === 2 ? fields.dac + s[fields.dacWriteIndex] * 3 : -1;
    case 0x3c0:
      return s[fields.attributeData] === 1 ? fields.attribute + (s[fields.attributeIndex] & 31) : -1;
    case 0x3c6:
      return fields.dacMask;
    case 0x3c2:
      return fields.miscOutput;
    case 0x3b5:
    case 0x3d5:
      return ((seenOfCrtc >> s[fields.crtcIndex]) & 1) !== 0 ? fields.crtc + s[fields.crtcIndex] : -1;
    default:
      return -1;
  }
}

/** One value, or the three of a colour in a byte each. */
export function registerValue(s: VgaState, register: number): number {
  if (register < fields.dac) return s[register];
  return s[register] | (s[register + 1] << 8) | (s[register + 2] << 16);
}

/** Whether a change of these bits makes other lines of the picture. */
export function isOfTiming(register: number, bits: number): boolean {
  if (register === fields.miscOutput) return true;
  if (register === fields.sequencer + 1) return (bits & ~0x20) !== 0;
  const index = register - fields.crtc;
  if (index < 0 || index >= 0x18) return false;
  // Line compare has a bit among them.
  return index === 7 ? bits !== 0x10 : index < 7 || (index >= 0x10 && index <= 0x12);
}
