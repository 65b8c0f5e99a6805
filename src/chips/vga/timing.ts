import { fields, type VgaState } from './fields.ts';
import { crtc, sequencer } from './registers.ts';

/** Ten bits of a vertical register: eight of their own and two in the overflow register. */
const vertical = (s: VgaState, index: number, bit8: number, bit9: number) =>
  crtc(s, index) | (((crtc(s, 7) >> bit8) & 1) << 8) | (((crtc(s, 7) >> bit9) & 1) << 9);

/** Scan lines that are shown. */
export const shownLines = (s: VgaState) => vertical(s, 0x12, 1, 6) + 1;

/** Characters (eight or nine dots) that are shown on a line. */
export const shownCharacters = (s: VgaState) => crtc(s, 1) + 1;

export const lineCompare = (s: VgaState) =>
  crtc(s, 0x18) | (((crtc(s, 7) >> 4) & 1) << 8) | (((crtc(s, 9) >> 6) & 1) << 9);

export const startAddress = (s: VgaState) => (crtc(s, 0x0c) << 8) | crtc(s, 0x0d);

export const dotsPerCharacter = (s: VgaState) => ((sequencer(s, 1) & 1) !== 0 ? 8 : 9);

/** Dots of the oscillator for a character: twice as many where the dot clock is halved. */
const clocksPerCharacter = (s: VgaState) => dotsPerCharacter(s) << ((sequencer(s, 1) >> 3) & 1);

const lineClocks = (s: VgaState) => (crtc(s, 0) + 5) * clocksPerCharacter(s);

export const frameClocks = (s: VgaState) => lineClocks(s) * (vertical(s, 6, 0, 5) + 2);

/** The oscillator that is chosen. */
export const dotClockHz = (s: VgaState) => ((s[fields.miscOutput] & 0x0c) === 4 ? 28_322_000 : 25_175_000);

const retraceStart = (s: VgaState) => vertical(s, 0x10, 2, 7);

/** Where in the frame the vertical retrace begins. */
export const retraceClock = (s: VgaState) => retraceStart(s) * lineClocks(s);

/** The line that the beam is on, some clocks into a frame. */
export const lineAt = (s: VgaState, clock: number) => Math.floor(clock / lineClocks(s));

/** Input status register 1, some clocks into a frame: bit 0 while nothing is shown, bit 3 in vertical retrace. */
export function statusAt(s: VgaState, clock: number): number {
  const line = Math.floor(clock / lineClocks(s));
  const character = Math.floor((clock - line * lineClocks(s)) / clocksPerCharacter(s));
  const start = retraceStart(s);
  const retraceLines = (crtc(s, 0x11) - start) & 15;
  const retrace = line >= start && line < start + (retraceLines === 0 ? 16 : retraceLines);
  const shown = line < shownLines(s) && character < shownCharacters(s);
  return (shown ? 0 : 1) | (retrace ? 8 : 0);
}
