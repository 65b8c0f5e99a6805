import { fields, type VgaState } from './fields.ts';
import { hasWideDac } from './svga.ts';

const SEQUENCER = fields.sequencer;
const GRAPHICS = fields.graphics;
const ATTRIBUTE = fields.attribute;
const CRTC = fields.crtc;

export const sequencer = (s: VgaState, index: number): number => s[SEQUENCER + index];
export const graphics = (s: VgaState, index: number): number => s[GRAPHICS + index];
export const attribute = (s: VgaState, index: number): number => s[ATTRIBUTE + index];
export const crtc = (s: VgaState, index: number): number => s[CRTC + index];

const crtcMasks = [
  0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0xff, 0x3f, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
  0xff, 0x7f, 0xff, 0xff, 0xef, 0xff,
];

/** Registers 0 to 7 are protected by bit 7 of register 11h, but for line compare's bit in register 7. */
export function writeCrtc(s: VgaState, value: number): void {
  const index = s[fields.crtcIndex];
  const mask = crtcMasks[index];
  if (mask === undefined) return;
  const at = fields.crtc + index;
  if (index > 7 || (crtc(s, 0x11) & 0x80) === 0) s[at] = value & mask;
  else if (index === 7) s[at] = (crtc(s, 7) & ~0x10) | (value & 0x10);
}

const sequencerMasks = [0x03, 0x3d, 0x0f, 0x3f, 0x0e];

export function writeSequencer(s: VgaState, value: number): void {
  const index = s[fields.sequencerIndex];
  s[fields.sequencer + index] = value & (sequencerMasks[index] ?? 0);
}

const graphicsMasks = [0x0f, 0x0f, 0x0f, 0x1f, 0x03, 0x7b, 0x0f, 0x0f, 0xff];

export function writeGraphics(s: VgaState, value: number): void {
  const index = s[fields.graphicsIndex];
  s[fields.graphics + index] = value & (graphicsMasks[index] ?? 0);
}

const attributeMasks = [0xef, 0xff, 0x3f, 0x0f, 0x0f];

/** Port 3C0h: index and data by turns. */
export function writeAttribute(s: VgaState, value: number): void {
  s[fields.attributeData] ^= 1;
  if (s[fields.attributeData] !== 0) {
    s[fields.attributeIndex] = value & 0x3f;
    return;
  }
  const index = s[fields.attributeIndex] & 0x1f;
  // The palette cannot be reached while the picture uses it.
  if (index < 16) {
    if ((s[fields.attributeIndex] & 0x20) === 0) s[fields.attribute + index] = value & 0x3f;
  } else s[fields.attribute + index] = value & (attributeMasks[index - 16] ?? 0);
}

export function writeDac(s: VgaState, written: number): void {
  const value = written & (hasWideDac(s) ? 0xff : 0x3f);
  const component = s[fields.dacComponent];
  if (component === 0) s[fields.dacRed] = value;
  else if (component === 1) s[fields.dacGreen] = value;
  else {
    const at = fields.dac + s[fields.dacWriteIndex] * 3;
    s[at] = s[fields.dacRed];
    s[at + 1] = s[fields.dacGreen];
    s[at + 2] = value;
    s[fields.dacWriteIndex] = (s[fields.dacWriteIndex] + 1) & 0xff;
  }
  s[fields.dacComponent] = component === 2 ? 0 : component + 1;
}

export function readDac(s: VgaState): number {
  const component = s[fields.dacComponent];
  const value = s[fields.dac + s[fields.dacReadIndex] * 3 + component];
  if (component === 2) s[fields.dacReadIndex] = (s[fields.dacReadIndex] + 1) & 0xff;
  s[fields.dacComponent] = component === 2 ? 0 : component + 1;
  return value;
}
