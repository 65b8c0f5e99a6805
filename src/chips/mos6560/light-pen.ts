import { fields, type Mos6560State } from './fields.ts';
import type { Mos6560Timing } from './models.ts';

const LINE = fields.penLine;
const TRIGGERED = fields.penTriggered;
const DUE = fields.penDue;

/** The pen's line: 1 = high. Its fall is seen a cycle later. */
export function setPenLine(s: Mos6560State, level: number): void {
  s[LINE] = level;
  if (level === 0) s[DUE] = 1;
}

/** Once a frame it may trigger; a line that is still low does so at once. */
export function restartPen(s: Mos6560State): void {
  s[TRIGGERED] = 0;
  if (s[LINE] === 0) s[DUE] = 1;
}

/** Keeps where the beam is; in the last line nothing is kept after its second cycle. */
export function triggerPen(s: Mos6560State, { cyclesPerLine }: Mos6560Timing): void {
  if (s[TRIGGERED] !== 0) return;
  s[TRIGGERED] = 1;
  if (s[fields.line] === s[fields.lines] - 1 && s[fields.cycle] > 1) return;
  s[fields.penX] = 2 * ((s[fields.cycle] + 1) % cyclesPerLine) + 1;
  s[fields.penY] = s[fields.line] >> 1;
}
