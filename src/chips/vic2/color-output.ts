/*
 * The last stage: colour codes become colours one cycle after they were drawn, so that a write to a colour register shows
 * from the second pixel or the first, which may be light grey if it shows the register just written: see `FirstPixel`.
 */
import { fields, type Vic2State } from './fields.ts';
import type { FirstPixel } from './models.ts';

const COLORS = fields.colors;
const DELAYED0 = fields.delayed0;
const DELAYED1 = fields.delayed1;
const RENDER0 = fields.render0;
const RENDER1 = fields.render1;
const REGISTER = fields.colorRegister;
const VALUE = fields.colorValue;
const REGISTER_LATCHED = fields.colorRegisterLatched;
const VALUE_LATCHED = fields.colorValueLatched;

const LIGHT_GREY = 0x0f;
const BORDER = 0x20;
const BORDER_CODES = 0x20202020;

/** Writes the pixels of the cycle before to the frame, two words from `position` on, and takes over those just drawn. */
export function outputPixels(s: Vic2State, frame: Int32Array, position: number, first: FirstPixel): void {
  let codes0 = s[DELAYED0];
  const codes1 = s[DELAYED1];
  const written = s[REGISTER_LATCHED];
  if (written !== 0) {
    if (first === 'grey' && (codes0 & 0xff) === written) codes0 = (codes0 & ~0xff) | LIGHT_GREY;
    s[COLORS + written] = s[VALUE_LATCHED];
  }
  frame[position] = resolve(s, codes0);
  frame[position + 1] = resolve(s, codes1);
  delayPixels(s, first);
  s[REGISTER_LATCHED] = s[REGISTER];
  s[VALUE_LATCHED] = s[VALUE];
  s[REGISTER] = 0;
}

/** Whether a colour is on its way, so that cycles have to be drawn one by one. */
export function isColorWritten(s: Vic2State): boolean {
  return (s[REGISTER] | s[REGISTER_LATCHED]) !== 0;
}

/** Whether what is on its way to the frame, as to the next two cycles, is border and shows nothing of that colour. */
export function isColorHidden(s: Vic2State): boolean {
  return (
    s[REGISTER] !== BORDER &&
    s[REGISTER_LATCHED] !== BORDER &&
    s[DELAYED1] === BORDER_CODES &&
    (s[DELAYED0] & ~0xff) === (BORDER_CODES & ~0xff)
  );
}

/** What two cycles do to a colour that is on its way. */
export function settleColor(s: Vic2State): void {
  if (s[REGISTER_LATCHED] !== 0) s[COLORS + s[REGISTER_LATCHED]] = s[VALUE_LATCHED];
  if (s[REGISTER] !== 0) s[COLORS + s[REGISTER]] = s[VALUE];
  s[VALUE_LATCHED] = s[VALUE];
  s[REGISTER_LATCHED] = 0;
  s[REGISTER] = 0;
}

/** Takes over the pixels just drawn. Of some chips the first has its colour already. */
export function delayPixels(s: Vic2State, first: FirstPixel): void {
  const next = s[RENDER0];
  s[DELAYED0] = first === 'old' ? (next & ~0xff) | s[COLORS + (next & 0xff)] : next;
  s[DELAYED1] = s[RENDER1];
}

/** Four colours of four codes. */
export function resolve(s: Vic2State, codes: number): number {
  return (
    s[COLORS + (codes & 0xff)] |
    (s[COLORS + ((codes >> 8) & 0xff)] << 8) |
    (s[COLORS + ((codes >> 16) & 0xff)] << 16) |
    (s[COLORS + (codes >> 24)] << 24)
  );
}
